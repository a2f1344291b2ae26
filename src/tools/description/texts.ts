import { DEFAULT_OUTPUT_TOKENS, DEFAULT_YIELD_MS } from '../../protocol/limits.js';

// Every sentence that this folder says to models and to people.

export const introduction = [
  'Runs a cell: a small JavaScript program of yours that calls tools, works on their results, and puts out what matters.',
  '',
  '- Write plain source text, an ES module: no JSON, no quotes and no Markdown fence around it. Top-level `await` works; `import`, `export` and `return` at top level do not.',
  '- Each cell starts afresh, with the JavaScript language (`Intl` too) and the names below. There is no Node, no file, no network, no `console`.',
  '- `await tools.NAME(input)` calls a tool and gives its result: a value, no JSON text. The input is one object, for tools declared with `input: string` a string. A failed call rejects with a string that says why. MCP tools do not reject: look at `isError`.',
  '- Calls that do not depend on each other run at the same time under `Promise.all`.',
  '- Await every promise. When the source has run to its end, whatever is still under way is dropped, tool calls too.',
  '- You see nothing but what the cell puts out.',
  `- The first line may be \`// @exec: {"yield_time_ms": ${DEFAULT_YIELD_MS}, "max_output_tokens": ${DEFAULT_OUTPUT_TOKENS}}\` (these are the defaults). A cell that runs longer than the first goes on in the background, and you get its ID for \`wait\`; of more output than the second the middle is cut out.`,
  '',
  'In a cell:',
  '- `text(value)`: puts out a string as it is, anything else as JSON.',
  '- `image(source, detail?)`: puts out an image: a `data:` URL, `{image_url, detail?}` or an MCP image block; detail is `auto`, `low`, `high` (unless you say otherwise) or `original`.',
  '- `audio(source)`: puts out a sound: a `data:` URL, `{audio_url}` or an MCP audio block.',
  '- `generatedImage(result)`: puts out the image in the result of an image tool, and its `output_hint`.',
  '- `content(blocks)`: puts out one MCP content block or a list, such as the `content` of a result.',
  '- `notify(value)`: a message that is shown at once, while the cell goes on.',
  '- `store(key, value)`, `load(key)`: JSON values that later cells find again.',
  '- `setTimeout(fn, ms)`, `clearTimeout(id)`: timers; a cell does not stay alive for them.',
  '- `for await (const {index, status, value, reason} of as_settled(promises))`, `await stream_settled(promises, fn)`: results in the order in which they come.',
  '- `yield_control()`: hands over what was put out so far; the cell goes on.',
  '- `exit()`: ends the cell at once, as a success.',
  '- `ALL_TOOLS`: `[{name, description}]` of every tool.',
].join('\n');

export const waitText = [
  'Waits for a cell that `exec` left running, and gives what it has put out since.',
  '- `cell_id`: the ID that `exec` gave.',
  `- \`yield_time_ms\`: how long to wait before coming back while the cell goes on (${DEFAULT_YIELD_MS}).`,
  `- \`max_tokens\`: of more output than this the middle is cut out (${DEFAULT_OUTPUT_TOKENS}).`,
  '- `terminate`: true ends the cell; what it has put out by then comes back.',
].join('\n');

export const mcpHeading = 'Types of MCP results:';
export const declarationLead = 'exec tool declaration:';
export const briefLead = 'In short, without declarations:';
export const namesLead = 'By name only:';

/** Where to look for what is not here. `searchName` is a property of `tools`. */
const wayToFind = (searchName: string | undefined): string =>
  searchName === undefined
    ? 'Look through `ALL_TOOLS` in a cell before you use one, such as `text(ALL_TOOLS.filter(({name}) => /issue/i.test(name)))`.'
    : `\`text(await tools.${searchName}({query, limit}))\` finds them in a cell, with their declarations.`;

export const shortenedNote = (searchName: string | undefined): string =>
  `Some tools are shown in short. ${wayToFind(searchName)}`;

export const omittedNote = (omitted: number, total: number, searchName: string | undefined): string =>
  `${omitted} of ${total} tools are left out here; cells can call them all the same. ${wayToFind(searchName)}`;

export const budgetTypeText = (value: unknown): string =>
  `maxTokens must be a number above 0, got ${typeof value === 'number' ? value : typeof value}`;

export const budgetTooSmallText = (maxTokens: number, minimum: number): string =>
  `maxTokens of ${maxTokens} is too small: the description takes ${minimum} tokens without any tool`;

export const notDescribableText =
  'describe takes a toolbox or its entries, as `new Toolbox(tools)` has them: [{ tool, property }]';
