// Every sentence this folder says: to models (the findings, one line each: what is wrong, what to write instead) and to
// people.

const listed = (names: readonly string[]): string =>
  names.length <= 8 ? names.join(', ') : `${names.slice(0, 8).join(', ')} and ${names.length - 8} more`;

export const fenceText =
  'a cell is JavaScript, not Markdown: send the program without ``` fences and without prose around it';
export const severalFencesText = (count: number): string =>
  `the cell has ${count} fenced blocks: send one program, as plain JavaScript without fences`;
export const jsonText = (field: string): string =>
  `the cell is a JSON object with the program in ${JSON.stringify(field)}: send the program itself, not JSON`;
export const quotedText =
  'the whole cell is one string that holds the program: send the program itself, without quotes';
export const tagsText = 'there are tags around the program: send plain JavaScript without tags';
export const toolCallText = 'the program is wrapped in a call: send only what is inside, as plain JavaScript';
export const languageLineText = (word: string): string =>
  `the first line, ${JSON.stringify(word)}, is no JavaScript: leave it out and begin with the program`;
export const entitiesText =
  'the program is escaped for HTML: write <, >, & and quotes as they are, not &lt; &gt; &amp; &quot;';
export const quotesText = 'typographic quotes do not delimit strings: write straight quotes (" or \')';
export const invisibleText = 'there are invisible characters between the words: write plain spaces';

export const shellText = (command: string, tool: string | undefined): string => {
  const short = command.length > 200 ? `${command.slice(0, 200)}…` : command;
  if (tool === undefined)
    return `this is a shell command, and cells are JavaScript without a shell: write a program that calls tools (await tools.NAME({ … }))`;
  return `this is a shell command, and cells are JavaScript: write text(await tools.${tool}({ cmd: ${JSON.stringify(short)} }))`;
};
export const pythonText =
  'this is Python, and cells are JavaScript: write the program in JavaScript, with text(…) for output';
export const pythonNameText = (name: string, word: string): string => `${name} is Python: write ${word}`;
export const printText = 'there is no print in a cell: write text(value) for output';
export const unsupportedTypescriptText = (reason: string): string => `TypeScript that is more than types: ${reason}`;

const pragmaExample = '// @exec: {"yield_time_ms": 10000, "max_output_tokens": 1000}';
export const pragmaText = `the pragma on the first line must be a JSON object of non-negative whole numbers: write ${pragmaExample}`;
export const pragmaKeyText = (key: string): string =>
  `the pragma has a field ${JSON.stringify(key)}, but only yield_time_ms and max_output_tokens exist: write ${pragmaExample}`;
export const pragmaPlaceText = 'the // @exec: pragma counts on the very first line only: move it there';

export const returnText = (hasValue: boolean): string =>
  hasValue
    ? 'return works in functions only: at top level write text(value) to show a value, then exit() to end the cell'
    : 'return works in functions only: at top level write exit() to end the cell';

export const unawaitedText = (call: string, use: 'dropped' | 'value', may: boolean): string => {
  const write = may
    ? `write await ${call}`
    : `make the function around it async, write await ${call} in it, and await that function`;
  return use === 'dropped'
    ? `nothing waits for ${call}, which returns a promise: its result is lost when the cell ends; ${write}`
    : `${call} returns a promise, which is used here as if it were the result: ${write}`;
};
export const awaitPlaceText = (name: string | undefined): string =>
  `await works in async functions and at top level only: ${
    name === undefined
      ? 'make the callback async and wait for all with await Promise.all(list.map(async …)), or use a for…of loop'
      : `write async function ${name}(…), and await ${name}(…) where it is called`
  }`;
export const forEachText =
  'forEach does not wait for its callback: write for (const item of list) { await … }, or await Promise.all(list.map(async …))';
export const mapDroppedText = 'nothing waits for the promises of this map: write await Promise.all(list.map(async …))';
export const mapValueText = 'this map gives promises, not their results: write await Promise.all(list.map(async …))';
export const predicateText = (name: string): string =>
  `${name} takes the promise of an async callback for true: get the values first, with await Promise.all(list.map(async …)), then ${name}`;

export const unknownToolText = (
  name: string,
  nearest: string | undefined,
  tools: readonly string[],
  isHelper: boolean,
): string => {
  const missing = `there is no tool ${JSON.stringify(name)}`;
  if (isHelper) return `${missing}: ${name} is a function of its own, write ${name}(…)`;
  if (nearest !== undefined) return `${missing}: did you mean tools.${nearest}?`;
  return tools.length === 0 ? `${missing}: this cell has no tools` : `${missing}; this cell has ${listed(tools)}`;
};
export const notCalledText = (name: string | undefined): string =>
  `a tool that is not called does nothing: write await tools.${name ?? 'NAME'}({ … })`;
export const bareToolText = (name: string): string => `${name} is a tool: write await tools.${name}(…)`;
export const extraArgumentsText = (name: string | undefined): string =>
  `a tool takes one argument, the rest is ignored: write tools.${name ?? 'NAME'}({ … }) with everything in one object`;

export const importText = (from: string): string =>
  `cells have no modules, so ${JSON.stringify(from.replace(/^['"`]|['"`]$/g, ''))} cannot be imported: use plain JavaScript and await tools.NAME({ … })`;
export const requireText = (name: string): string =>
  `cells have no modules, and no ${name}: use plain JavaScript and await tools.NAME({ … })`;
export const consoleText = 'there is no console in a cell: write text(value) for output';

const command = (tool: string | undefined): string =>
  tool === undefined
    ? 'use a tool (await tools.NAME({ … }))'
    : `use a tool, for example await tools.${tool}({ cmd: "…" })`;

type Hint = (name: string, commandTool: string | undefined) => string;

/** Globals that cells do not have, and what to write instead. */
export const absentGlobals: readonly (readonly [names: readonly string[], hint: Hint])[] = [
  [
    [
      'fs',
      'path',
      'os',
      'process',
      'child_process',
      'execSync',
      'spawn',
      '__dirname',
      '__filename',
      'Deno',
      'Bun',
      'Buffer',
    ],
    (name, tool) => `there is no ${name} in a cell, which has nothing of Node: ${command(tool)}`,
  ],
  [
    ['fetch', 'XMLHttpRequest', 'WebSocket', 'axios'],
    (name, tool) => `there is no ${name} in a cell, which has no network: ${command(tool)}`,
  ],
  [
    ['window', 'document', 'navigator', 'localStorage', 'alert', 'prompt', 'self', 'global'],
    (name) => `there is no ${name} in a cell: output goes through text(value), and globalThis is the global object`,
  ],
  [
    ['setInterval', 'clearInterval', 'setImmediate', 'queueMicrotask', 'sleep'],
    (name) => `there is no ${name} in a cell: write await new Promise((resolve) => setTimeout(resolve, ms))`,
  ],
  [
    [
      'structuredClone',
      'performance',
      'crypto',
      'atob',
      'btoa',
      'URL',
      'URLSearchParams',
      'TextEncoder',
      'TextDecoder',
    ],
    (name) => `there is no ${name} in a cell, which has plain JavaScript only: do without it, or use a tool`,
  ],
  [
    ['AbortController', 'Event', 'EventTarget', 'Blob', 'Worker', 'WebAssembly', 'SharedArrayBuffer', 'Atomics'],
    (name) => `there is no ${name} in a cell, which has plain JavaScript only: do without it`,
  ],
];

export const functionNotCalledText = (name: string): string =>
  `${name} is defined and never called: write await ${name}(); at the end, or leave the function out: await works at top level`;
export const functionValueText =
  'the cell is a function that nobody calls: write only what is in its body, with text(value) in place of return';
export const valueNotShownText = 'the value of the last expression is not shown: write text(value) to output it';

/** What the stripper says, in our words and with a remedy. */
const stripRemedies: readonly (readonly [words: RegExp, reason: string])[] = [
  [/\benum\b/, 'an enum is more than a type: use a constant object, const Name = { A: 0 }'],
  [/namespace declaration/, 'a namespace is more than a type: use a plain object or plain constants'],
  [
    /parameter property/,
    'a parameter property is more than a type: declare the field and assign it in the constructor',
  ],
  [/import equals/, '`import x = …` is more than a type, and cells have no modules: leave it out'],
  [/export assignment/, '`export = …` is more than a type, and cells have no modules: leave it out'],
  [/angle-bracket/, 'a type assertion in angle brackets cannot be blanked out: write `value as Type`'],
];

export const stripReason = (message: string): string =>
  stripRemedies.find(([words]) => words.test(message))?.[1] ?? (message.split('\n', 1)[0] || 'it is no TypeScript');

// What a caller gave that can not be used

export const modeWords = 'off, report or fix';

interface Place {
  readonly line: number;
  readonly column: number;
}

export const stripText = (label: string, { line, column }: Place, reason: string): string =>
  `${label}:${line}:${column}: not a TypeScript cell that can run: ${reason}`;
export const noStripperText = (message: string): string => `the types could not be removed (${message})`;
export const tooDeepText = 'it is nested too deeply';
export const farFaultText = (column: number): string =>
  `there is a fault beyond column ${column} of a line, where its place cannot be told: break the line`;
