// Every sentence the command line says to people.

import type { Diagnostic, Finding } from '../source/index.js';
import type { ToolProgress } from '../tools/tool.js';

export const usageLines = {
  run: 'codemode-run [run] [options] <cell.js...>',
  describe: 'codemode-run describe [options]',
  check: 'codemode-run check [options] <cell.ts...>',
} as const;
export const usageHint = 'Try codemode-run --help.';

export const unknownOptionText = (option: string, nearest: string | undefined): string =>
  nearest === undefined ? `unknown option ${option}` : `unknown option ${option}; did you mean ${nearest}?`;
export const foreignOptionText = (option: string, commands: readonly string[]): string =>
  `${option} is an option of ${commands.map((command) => `codemode-run ${command}`).join(', ')}, not of this command`;
export const missingValueText = (option: string, value: string): string =>
  `${option} needs a value: ${option} ${value}`;
export const surplusValueText = (option: string): string => `${option} takes no value`;
export const badNumberText = (option: string, given: string, minimum: number, maximum: number): string =>
  `${option} must be a whole number from ${minimum} to ${maximum}, got ${JSON.stringify(given)}`;
export const badChoiceText = (option: string, given: string, choices: readonly string[]): string =>
  `${option} must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}, got ${JSON.stringify(given)}`;
export const surplusCellText = (name: string): string =>
  `describe takes no cells, got ${JSON.stringify(name)}; name files of tools with --tools or --mcp`;
export const emptyValueText = (option: string): string => `${option} must not be empty`;
export const badVariableText = (given: string): string =>
  `--env must be NAME or NAME=VALUE, got ${JSON.stringify(given)}`;
export const unsetVariableText = (name: string): string => `--env ${name}: there is no ${name} in our environment`;
export const execTwiceText = '--exec and --exec-server exclude each other';
export const badExecServerText = (given: string): string =>
  `--exec-server must be a ws:// or wss:// URL, got ${JSON.stringify(given)}`;
export const noCellText = 'no cell given: name a file, - for standard input, or use -e SOURCE';
export const stdinTwiceText = 'standard input (-) can be read only once';

export const unreadableCellText = (name: string, problem: string): string => `cannot read cell ${name}: ${problem}`;
export const notRegularText = 'not a regular file';
export const tooLargeText = (limitMiB: number): string => `it is larger than ${limitMiB} MiB`;
export const unusableFileText = (option: string, file: string, problem: string): string =>
  `cannot use ${option} ${file}: ${problem}`;
export const emptyCellNameText = 'the name of a cell must not be empty';
export const pipedModuleText = 'a module is imported from a file, not from a pipe or a terminal: save it to one';
/** Behind what says that there is no such file. */
export const meantText = {
  source: 'for a source instead of a file use -e',
  command: (command: string): string => `did you mean codemode-run ${command}?`,
};
export const budgetText = (maxTokens: number, minimum: number): string =>
  `--max-tokens ${maxTokens} is too small: the description takes ${minimum} tokens without any tool`;
export const badTokenText = (variable: string): string =>
  `the token in ${variable} must be one word of ASCII letters, digits and punctuation`;
export const notUtf8Text = (name: string): string => `cannot read cell ${name}: it is not valid UTF-8`;

export const mediaLine = (kind: string, path: string, mime: string, bytes: number): string =>
  `[${kind} ${path}: ${mime}, ${bytes} bytes]`;
export const notWrittenText = (kind: string, problem: string): string => `${kind} not written: ${problem}`;
const folderProblems: Readonly<Record<string, string>> = {
  EEXIST: 'is not a directory',
  ENOTDIR: 'is not a directory',
  EACCES: 'may not be written to',
  EPERM: 'may not be written to',
  EROFS: 'may not be written to',
  ENOSPC: 'has no space left',
};
export const unwritableFolderText = (folder: string, code: string, message: string): string =>
  Object.hasOwn(folderProblems, code) ? `${folder} ${folderProblems[code]}` : message;
export const notADataUrlText = 'it is not a data: URL';
export const badBase64Text = 'its base64 is broken';
export const badPercentText = 'its percent encoding is broken';

export const cellStoppedText = (cell: string, message: string): string => `${cell}: ${message}`;
export const terminatedByHostText = 'the cell was ended by the host';
export const errorLine = (message: string): string => `codemode-run: ${message}`;
export const hintText = (hint: string): string => `hint: ${hint}`;
export const limitText = (ms: number): string => `(limit: ${ms} ms)`;
/** As the library names a limit, and as the command line does. */
export const limitNameText = (limit: string): string => `(limit ${limit})`;
export const brokenOutputText = (message: string): string => `cannot write to stdout: ${message}`;
export const alsoText = (message: string): string => `also: ${message}`;
export const hostStderrText = 'what the host wrote to stderr:';
export const skippedText = (lines: number): string => `… ${lines} more lines`;
export const unshowableText = 'it threw a value that cannot be shown';
export const signalText = (signal: string): string => `ended by ${signal}`;
export const uncaughtText = (detail: string): string => `an error that nobody caught, probably in a tool: ${detail}`;

export const hostStderrLine = (line: string): string => `[host] ${line}`;
export const eventLine = (text: string): string => `[codemode-run] ${text}`;
export const spawnedText = (program: string, pid: number): string => `started ${program}, pid ${pid}`;
export const readyText = (version: number, codec: string, capabilities: readonly string[], ms: number): string =>
  `ready after ${ms.toFixed(0)} ms: version ${version}, ${codec} frames, capabilities: ${capabilities.join(' ') || 'none'}`;
export const deadText = (message: string): string => `connection lost: ${message}`;
export const exitedText = (pid: number, status: string): string => `pid ${pid} ended: ${status}`;
export const mcpLine = (server: string, text: string): string => `[mcp ${server}] ${text}`;
export const mcpReadyText = (name: string, version: string, tools: number, ms: number): string =>
  `ready after ${ms.toFixed(0)} ms: ${name} ${version}, ${counted(tools, 'tool')}`;
export const mcpStrayText = (text: string): string => `no message on its stdout: ${JSON.stringify(text)}`;
export const mcpLogText = (level: string, logger: string | undefined, data: unknown): string =>
  `${level}${logger === undefined ? '' : ` (${logger})`}: ${typeof data === 'string' ? data : JSON.stringify(data)}`;
export const mcpToolsText = (tools: number): string => `its list of tools has changed: ${counted(tools, 'tool')}`;
export const warningText = (message: string): string => `warning: ${message}`;
export const unusedGlobText = (option: string, glob: string): string => `${option} ${glob} matches no tool`;
export const leftOutText = (message: string): string => `left out: ${message}`;
export const progressText = (tool: string, { progress, total, message }: ToolProgress): string =>
  `${tool}: ${progress}${total === undefined ? '' : ` of ${total}`}${message === undefined ? '' : `: ${message}`}`;
export const findingLine = (cell: string, { line, column, message, code, fixed }: Finding): string =>
  `${cell}:${line}:${column}: ${message} (${code}${fixed ? ', mended' : ''})`;
export const diagnosticLine = ({ file, line, column, code, message }: Diagnostic): string =>
  `${file}:${line}:${column} ${message} (${code})`;
export const typeErrorsText = (count: number): string => `nothing was run: ${counted(count, 'error')} in types`;
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
export const notificationLine = (text: string): string => `[notification] ${text}`;

const exitCodeLines = {
  run: [
    '0      every cell completed',
    '1      a cell failed, has wrong types or more than types, or an image was not written',
    '2      usage, or a file of yours that cannot be used',
    '3      the host, an MCP server, an exec-server or the compiler did not start, or was lost',
    '4      the time limit, or the host of its own accord, ended a cell',
  ],
  describe: [
    '0      the description is complete',
    '1      an error that nobody caught, probably in a tool',
    '2      usage, or a file of yours that cannot be used',
    '3      an MCP server or an exec-server could not be started or reached',
  ],
  check: [
    '0      no cell has an error in its types',
    '1      a cell has',
    '2      usage, or a file of yours that cannot be used',
    '3      an MCP server, an exec-server or the compiler could not be started or reached',
  ],
} as const;
export const exitCodesText = (command: keyof typeof exitCodeLines): string =>
  ['Exit codes:', ...exitCodeLines[command], '128+n  ended by signal n'].join('\n  ');
export const describeNotes =
  'Prints what a model should be told about its tools `exec` and `wait`, with the declarations of the tools that cells can call.';
export const checkNotes =
  'Type-checks cells against the declarations of their tools: `file:line:col message`, and exit code 1 if there is any.';
export const helpNotes = [
  'Cells run in the order given, in one session; - is standard input. After -- everything is the name of a cell.',
  'The run stops at the first cell that does not complete.',
  'codemode-run describe prints what a model should be told; codemode-run check checks the types of cells.',
  'codemode-run exec-server serves processes and files to others: see codemode-run exec-server --help.',
].join('\n');

export const earlyExitText = 'the process was ended from inside, probably by a tool that called process.exit';
