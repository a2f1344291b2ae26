// Every sentence that declarations and the search for tools say to people or to cells.

const shown = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : value === undefined ? 'nothing' : `a ${typeof value}`;

/** An error may be anything, also something that throws when it is looked at. */
function reasonOf(error: unknown): string {
  try {
    const text = error instanceof Error ? error.message : String(error);
    return text.replace(/\s+/g, ' ').slice(0, 200);
  } catch {
    return 'for a reason that cannot be shown';
  }
}

export const schemaWrongText = (schema: unknown): string =>
  `a schema is an object or a boolean, this one is ${shown(schema)}`;

export const schemaNotReadText = (error: unknown): string => `the schema cannot be read: ${reasonOf(error)}`;

export const schemaTooLongText = (limit: number): string =>
  `the schema takes more than ${limit} characters in full, so parts of it are left out`;

export const leftOutText = 'too long to be shown here; search for the exact name of the tool';

export const queryTypeText = 'query must be a string';

export const queryBlankText = 'query must say what to look for, in a few words; it is blank';

export const limitText = (most: number): string => `limit must be a whole number from 1 to ${most}`;

export const noResultText = (total: number): string =>
  total === 0
    ? 'There are no tools to search.'
    : `None of the ${total} tools matches. Try other or fewer words: names, what a tool does, or its parameters.`;

export const searchDescription =
  'Finds tools by words: of their names, descriptions, parameters and groups. Gives {results: [{name, description, declaration, score}], total}, best first; call one as tools.NAME.';

export const entryWords = 'an object with tool and property, such as one of `toolbox.entries`';
