/** What preflight looks for, by code: one sentence each. The codes are stable. */
export const findingCodes = {
  'code-fence': 'A Markdown fence, perhaps with prose around it, holds the program.',
  'several-code-fences': 'Several Markdown fences hold programs, and it is not clear which one is meant.',
  'json-wrapper': 'The program is a field of a JSON object.',
  'quoted-program': 'The whole cell is one string that holds the program.',
  'markup-tags': 'Tags such as `<code>` stand around the program.',
  'tool-call-wrapper': 'The program is the argument of a call such as `functions.exec(…)`.',
  'language-line': 'The first line is the name of a language or a tool.',
  'html-entities': 'The program was escaped for HTML.',
  'smart-quotes': 'Typographic quotes stand where JavaScript needs straight ones.',
  'invisible-characters': 'Invisible characters that JavaScript does not allow stand between the words.',
  'shell-command': 'The cell is a shell command.',
  'python-code': 'The cell, or a word in it, is Python.',
  'unsupported-typescript': 'The cell uses TypeScript that is more than types.',
  'exec-pragma': 'The `// @exec:` line cannot be used as it is.',
  'pragma-not-first': 'A `// @exec:` line comes after the first line, where it is a comment.',
  'top-level-return': 'A `return` stands outside every function.',
  'unawaited-tool-call': 'The promise of a tool call is dropped, or used as if it were the result.',
  'unawaited-promise': 'Another promise is dropped before the cell ends, or used as if it were the result.',
  'await-outside-async': 'An `await` stands in a function that is not async.',
  'async-callback': 'Nothing waits for the promises of a callback.',
  'unknown-tool': 'There is no tool of this name.',
  'tool-not-called': 'A tool is awaited that was not called.',
  'bare-tool-call': 'A tool is called without `tools.` in front.',
  'extra-arguments': 'A tool is called with more than one argument.',
  'no-modules': 'The cell imports or requires a module.',
  'no-console': 'The cell uses `console`.',
  'unavailable-global': 'The cell uses a global of Node, of browsers or of the host, which cells do not have.',
  'function-not-called': 'All the work is in a function that nobody calls.',
  'value-not-shown': 'The cell outputs nothing and ends in a value.',
} as const;

export type FindingCode = keyof typeof findingCodes;

/**
 * One thing that preflight has to say. The position is 1-based and that in the cell as it came; of a program that came
 * as the text of a string (`json-wrapper`, `quoted-program`) it is that in the program.
 */
export interface Finding {
  readonly code: FindingCode;
  readonly line: number;
  readonly column: number;
  /** One line for a model: what is wrong, and what to write instead. */
  readonly message: string;
  /** The source that came back no longer has it. */
  readonly fixed: boolean;
}

/** Replaces a part of the text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Something that is put around this part: it nests with what other edits put around theirs. */
  readonly around?: { readonly start: number; readonly end: number } | undefined;
}

/** A finding before it is known whether its repair works out. No edits: it can only be reported. */
export interface Draft {
  readonly code: FindingCode;
  readonly at: number;
  readonly message: string;
  readonly edits?: readonly Edit[] | undefined;
  /** Another finding says it already: only the repair is wanted. */
  readonly quiet?: boolean | undefined;
}

/** What is put behind one part and before another, at one place: ends, innermost first; beginnings, outermost first. */
function nesting(edit: Edit): readonly [phase: number, order: number] {
  const { around, start } = edit;
  if (around === undefined) return [2, 0];
  return around.start < start ? [0, -around.start] : [1, -around.end];
}

/** Edits at one place nest, else they keep their order. One that overlaps an earlier one is left out. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const sorted = edits.map((edit, order) => ({ ...edit, nesting: nesting(edit), order }));
  sorted.sort(
    (a, b) => a.start - b.start || a.nesting[0] - b.nesting[0] || a.nesting[1] - b.nesting[1] || a.order - b.order,
  );
  let result = '';
  let done = 0;
  for (const { start, end, text: replacement } of sorted) {
    if (start < done) continue;
    result += text.slice(done, start) + replacement;
    done = end;
  }
  return result + text.slice(done);
}
