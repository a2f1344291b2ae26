// Every sentence this folder says to people or to cells.

export const shown = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (value === '') return 'an empty string';
  return typeof value === 'object' ? 'an object' : value === undefined ? 'nothing' : `a ${typeof value}`;
};

/** `place`: the tool and where it is. A defect without a field is one of the whole tool. */
export const toolDefectText = (place: string, defect: { field: string | null; problem: string }): string =>
  defect.field === null ? `${place} ${defect.problem}` : `${place}: ${defect.field} ${defect.problem}`;

export const kindText = (value: unknown): string =>
  `must be "function" or "freeform", got ${typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : shown(value)}`;

const because = (reason: string | undefined): string => (reason === undefined ? '' : `: ${reason}`);

export const unreadableText = (reason: string | undefined): string => `cannot be read${because(reason)}`;

export const moduleUnreadableText = (file: string, reason: string | undefined): string =>
  `${file}: its tools cannot be read${because(reason)}`;

export const mustBe = (what: string, value: unknown): string => `must be ${what}, got ${shown(value)}`;

export const unknownFieldText = (known: readonly string[]): string => `is not known; known are ${known.join(', ')}`;

export const noToolsText = (file: string, value: unknown): string =>
  `${file}: must export an object named \`tools\` (or a default one) of tool name → tool, got ${shown(value)}`;

export const importFailedText = (file: string, message: string): string => `${file}: cannot be loaded: ${message}`;

export const silentText = 'it threw a value that says nothing';
export const commonJsText = (message: string): string =>
  `${message} (Node takes it for CommonJS: name it .mjs, or put "type": "module" into package.json)`;
export const typescriptText = 'this Node does not run TypeScript: use Node 22.18 or newer, or compile it to JavaScript';
export const notModuleText = 'is no JavaScript module (.js, .mjs or .cjs)';
/** `where`: a line of the file itself, or a place in another one. */
export const thrownAtText = (message: string, where: string): string => `${message} (${where})`;
export const lineText = (line: string, column: string | undefined): string =>
  column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
export const placelessText = (message: string, file: string): string => `${message} (\`node ${file}\` shows where)`;

export const duplicateToolText = (name: string, first: string, second: string): string =>
  `${second}: tool ${JSON.stringify(name)} is already defined in ${first}`;

export const objectExpectedText = (name: string): string => `tool \`${name}\` expects a JSON object for arguments`;

export const stringExpectedText = (name: string): string => `tool \`${name}\` expects a string input`;

export const unknownToolText = (name: string): string => `unknown tool \`${name}\``;

/** `first` and `second`: where the two come from, if that is known. */
export const sameNameText = (name: string, first: string | undefined, second: string | undefined): string => {
  const tool = `tool ${JSON.stringify(name)}`;
  if (first !== undefined && second !== undefined && first !== second) {
    return `${tool} of ${first} is also a tool of ${second}; give one of them another name, or leave one of them out`;
  }
  const origin = first ?? second;
  return `${tool}${origin === undefined ? '' : ` of ${origin}`} comes twice; give one of them another name`;
};

export const notToolsText = (value: unknown): string => `tools ${mustBe('an array of tools', value)}`;

export const notACallText =
  'invoke takes the call, { cellId, callId, name, namespace, input }, and { signal }, an AbortSignal';

export const notFilesText = (value: unknown): string =>
  `loadTools takes an array of files, got ${Array.isArray(value) ? 'one with something else in it' : shown(value)}`;

export const uncheckedText = (name: string, reason: string): string =>
  `tool \`${name}\`: its inputs are not checked, as its schema cannot be used: ${reason}`;

export const leftOutText = (name: string, field: string, reason: string): string =>
  `tool \`${name}\`: its ${field} is left out of what the host is told: ${reason}`;

export const notAllowedText = (name: string): string => `tool \`${name}\` is not allowed by the policy of this run`;

export const notGlobsText = (list: string, value: unknown): string => `${list} ${mustBe('an array of globs', value)}`;

export const notAGlobText = (place: string, value: unknown): string =>
  `${place} ${mustBe('a glob over tool names, a non-empty string', value)}`;

export const notALimitText = (name: string, value: unknown): string =>
  `limits.${name} must be a whole number of at least 1, or Infinity, got ${typeof value === 'number' ? value : shown(value)}`;

export const tooManyCallsText = (name: string, limit: number): string =>
  `tool \`${name}\` is not called: this cell has made ${limit} tool calls, the most that one cell may make`;

export const hooksWords = 'an object with a function `before` or `after`';

export const deniedText = (name: string): string => `tool \`${name}\`: the call was denied`;

export const hookFailedText = (name: string, reason: string | undefined): string =>
  reason ?? `tool \`${name}\`: the check before the call failed`;

export const hookAnswerText = (name: string, value: unknown): string =>
  `tool \`${name}\` is not called: the hook before it must answer nothing, { deny: text } or { input }, got ${
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? `an object with ${Object.keys(value).join(', ') || 'nothing in it'}`
      : shown(value)
  }`;

export const importTimeoutText = (file: string, limitMs: number): string =>
  `${file}: cannot be loaded: its import has not ended within ${limitMs} ms; does it await something that never comes?`;

export const notATimeoutText = (value: unknown): string =>
  `importTimeoutMs must be a number of ms above 0, or Infinity, got ${typeof value === 'number' ? value : shown(value)}`;

/** Where a value is; the whole input has no name of its own. */
const at = (path: string): string => (path === '' ? 'the input' : `\`${path}\``);

export const mustBeText = (path: string, expected: string, value: string): string =>
  `${at(path)} must be ${expected}, got ${value}`;

export const missingText = (path: string, expected: string | undefined): string =>
  `${at(path)} is missing${expected === undefined ? '' : ` (expected ${expected})`}`;

export const neededWithText = (path: string, other: string): string =>
  `${at(path)} is missing, which ${at(other)} needs`;

export const unknownPropertyText = (path: string, nearest: string | undefined, known: readonly string[]): string => {
  const meant = nearest === undefined ? '' : `; did you mean \`${nearest}\`?`;
  const shownNames = known.slice(0, 12).map((name) => `\`${name.slice(0, 60)}\``);
  const more = known.length > shownNames.length ? ` and ${known.length - shownNames.length} more` : '';
  return `${at(path)} is not known${meant}${known.length === 0 ? '' : `${meant === '' ? ';' : ''} known are ${shownNames.join(', ')}${more}`}`;
};

export const oneTooManyText = (path: string): string => `${at(path)} is one item too many`;

export const notAllowedHereText = (path: string): string => `${at(path)} is not allowed`;

export const matchesSeveralText = (path: string, value: string): string =>
  `${at(path)} must fit only one of its alternatives, but fits several: ${value}`;

export const doesNotFitText = (path: string, keyword: string, wanted: string, value: string): string =>
  `${at(path)} does not fit \`${keyword}\`${wanted === '' ? '' : ` (${wanted})`}, got ${value}`;

// Why a schema cannot be used

export const tooManyPartsText = (most: number): string => `it has more than ${most} parts`;
export const partNotSchemaText = (value: unknown): string => `a part of it is ${shown(value)}, not a schema`;
export const tooDeepText = (deepest: number): string => `it is nested deeper than ${deepest} levels`;
export const unknownDraftText = (draft: string): string =>
  `its draft is not known: ${JSON.stringify(draft.slice(0, 80))}`;
export const circularRefText = (ref: string): string => `\`$ref: ${ref}\` leads back to itself`;
export const lostRefText = (ref: string): string => `\`$ref: ${ref}\` leads nowhere that is known here`;
export const endlessSchemaText = 'it refers to itself without end';
export const unreadableSchemaText = 'it cannot be read';
export const notAPatternText = (pattern: string): string => `\`${pattern.slice(0, 80)}\` is no regular expression`;

export const notWellFormedText = 'a property name is not well-formed Unicode';

export const unsaidText = 'the input does not fit its schema';

export const notJsonText = 'the input holds something that is not JSON';

export const inputProblemsText = (name: string, problems: readonly string[]): string => {
  const more = problems.length - 3;
  return `tool \`${name}\`: ${problems.slice(0, 3).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
};
