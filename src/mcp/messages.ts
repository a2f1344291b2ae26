// Every sentence this folder says to people or to cells.

import { CodemodeError, type ErrorData } from '../errors.js';
import { describeOsError } from '../process/os-error.js';
import { stderrLine } from '../process/stderr-line.js';
import type { JsonFault } from './json-fault.js';
import type { ServerFault } from './server-fault.js';

export const shown = (value: unknown): string => {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

// The configuration

export const jsonFaults = {
  tooDeep: 'it is nested too deeply',
  duplicate: (key: string) => `the key ${JSON.stringify(key)} occurs twice`,
  badString: 'the string has an escape or a control character that JSON does not allow',
  comment: 'JSON has no comments',
  expected: (what: string, got: string | undefined) =>
    `expected ${what}, got ${got === undefined ? 'the end of the text' : JSON.stringify(got)}`,
};

export const notJsonText = (file: string, { line, column, text }: JsonFault): string =>
  `${file}:${line}:${column}: not usable as JSON: ${text}`;

export const noServersText = (file: string, keys: readonly string[], value: unknown): string => {
  const got = value === undefined && keys.length > 0 ? `only ${keys.slice(0, 5).join(', ')}` : shown(value);
  return `${file}: must be an object with \`mcpServers\`, an object of name → server, got ${got}`;
};

/** What is wrong with a field of a configuration, or with all of it: to be put behind the server, or the field. */
export const configProblems = {
  empty: 'must not be empty',
  emptyName: 'the name must not be empty',
  notString: (value: unknown) => `must be a string, got ${shown(value)}`,
  notStrings: (value: unknown) => `must be an array of strings, got ${shown(value)}${othersIn(Array.isArray(value))}`,
  notStringMap: (value: unknown) =>
    `must be an object of strings, got ${shown(value)}${othersIn(shown(value) === 'an object')}`,
  notObject: (value: unknown) => `must be an object, got ${shown(value)}`,
  kind: (value: unknown) =>
    `must be "stdio" or "http", got ${typeof value === 'string' ? JSON.stringify(value) : shown(value)}`,
  variable: (name: string) => `${JSON.stringify(name)} is not usable as the name of an environment variable`,
  header: 'is not usable as an HTTP header',
  address: 'must be an address that begins with http:// or https://',
  addressWithPassword: 'must not hold a user name or a password: put them into `headers`',
  unset: (name: string) => `\`${name}\` is not set: set it, or give a default, \`\${${name}:-…}\``,
  nestedDefault: (name: string) =>
    `\`\${${name}:-…}\` has a \`\${\` in its default: a default is plain text, in which nothing is replaced`,
  notServer: 'must be an object with `command` or `url`',
  neither: 'must have `command` or `url`',
  both: 'excludes `command`: a server is either started or reached',
  sse: '"sse" is not supported: use the streamable HTTP address of the server, with type "http"',
  type: (beside: 'command' | 'url', value: unknown) =>
    `must be ${beside === 'command' ? '"stdio"' : '"http" or "streamable-http"'} beside \`${beside}\`, got ${JSON.stringify(value)}`,
};

const othersIn = (isContainer: boolean): string => (isContainer ? ' with something else in it' : '');

/** `server`: its name, or its place in the list where it has none. */
export const givenConfigText = (server: string | number, field: string | null, problem: string): string => {
  const who = typeof server === 'number' ? `MCP server ${server + 1}` : `MCP server \`${server}\``;
  return `${who}: ${field === null ? '' : `\`${field}\` `}${problem}`;
};
export const noConfigsText = (value: unknown): string => `the MCP servers must be an array, got ${shown(value)}`;
export const clientInfoText = (value: unknown): string =>
  `clientInfo must be an object with \`name\` and \`version\`, both strings, got ${shown(value)}`;

export const configText = (file: string, server: string, field: string | null, problem: string): string =>
  `${file}: MCP server ${JSON.stringify(server)}: ${field === null ? '' : `${field} `}${problem}`;

export const unreadableText = (file: string, problem: string): string => `${file}: cannot be read: ${problem}`;

export const badTimeoutText = (value: unknown): string =>
  `timeoutMs must be a number of ms above 0, or Infinity, got ${typeof value === 'number' ? value : shown(value)}`;
export const connectCancelled = (cause: unknown) =>
  new CodemodeError('cancelled', 'the start of the MCP servers was given up by the caller', { cause });

export const twiceText = (name: string): string => `MCP server \`${name}\` is given twice`;

// What went wrong with a server

const prefix = (server: string, what: string | undefined): string =>
  `MCP server \`${server}\`: ${what === undefined ? '' : `${what}: `}`;

/** `what` names the step, or the tool: `initialize`, ``tool `x` ``. */
export const serverFailed = (server: string, what: string | undefined, fault: ServerFault, more: ErrorData = {}) =>
  new CodemodeError('mcp-server-failed', oneLine(`${prefix(server, what)}${fault.message}`), {
    cause: fault.cause,
    data: { server, ...more, ...fault.data },
  });

export const callCancelled = (server: string, what: string | undefined, cause: unknown) =>
  new CodemodeError('cancelled', `${prefix(server, what)}${cancelledText}`, { cause, data: { server } });

export const toolText = (tool: string): string => `tool \`${tool}\``;

export const cancelledText = 'given up by the caller';
export const closedText = 'the connection was closed on this side';
export const closedStdinText = 'the server closed its stdin and runs on';
export const closedStdoutText = 'the server closed its stdout and runs on';
export const noStreamText = 'the server ended the stream without an answer, and does not take it up again';
export const streamEndedText = 'the server ended the stream without an answer';
export const answerDepthText = (limit: number): string =>
  `the server sent an answer that is nested more than ${limit} levels deep`;
export const answerShapeText = 'the server sent an answer that has neither a result nor an error';

export const endedText = (exit: string, elapsedMs: number): string =>
  `the server ended: ${exit} after ${Math.round(elapsedMs)} ms`;

export const brokeOffText = (bytes: number): string =>
  bytes === 0 ? '' : `, in the middle of a message, after ${bytes} bytes of it`;

export const messageTooLongText = (limit: number): string =>
  `the server sent a message of more than ${limit} bytes (${limit / 2 ** 20} MiB)`;

export const eventTooLongText = (limitBytes: number, limitLines: number): string =>
  `the server sent an event of more than ${limitBytes} bytes (${limitBytes / 2 ** 20} MiB) or ${limitLines} lines`;
export const otherAnswerText = 'the server answered the request with something else than the answer to it';
export const notJsonAnswerText = (reason: string): string => `the server sent an answer that is not JSON: ${reason}`;
export const unreadAnswersText = (limit: number): string =>
  `the server does not read what it asked for: more than ${limit} answers to it are waiting`;

export const errorAnswerText = (message: string): string => `the server answered with an error: ${message}`;
export const noAnswerText = (limitMs: number): string => `no answer within ${limitMs} ms`;
export const resultShapeText = (method: string, value: unknown): string =>
  `the answer to \`${method}\` must be an object, got ${shown(value)}`;
export const noToolListText = (value: unknown): string =>
  `the answer must have \`tools\`, an array, got ${shown(value)}`;
export const tooManyToolsText = (limit: number): string => `the server lists more than ${limit} tools`;
export const versionText = (theirs: unknown, ours: readonly string[]): string =>
  `the server speaks protocol version ${excerpt(JSON.stringify(theirs) ?? 'nothing')}; this client knows ${ours.join(', ')}`;

export const spawnText = ({ data, cause, message }: CodemodeError, path: string | undefined): string => {
  const program = String(data.path);
  const os = typeof data.code === 'string' ? describeOsError(data.code) : undefined;
  const reason = os ?? (cause instanceof Error ? cause.message : (message.split(': ').at(-1) ?? message));
  const lookedUp = data.code === 'ENOENT' && program !== '' && !program.includes('/');
  const hint = typeof data.hint === 'string' ? data.hint : undefined;
  const more = lookedUp && hint?.includes('PATH') !== false ? notInPath(program, path) : hint;
  return `cannot be started: ${program}: ${reason}${more === undefined ? '' : `; ${more}`}`;
};

const notInPath = (program: string, path: string | undefined): string =>
  path === undefined
    ? `there is no ${program} in the system's default directories, and the server's PATH is not set`
    : `there is no ${program} in the server's PATH, which is ${JSON.stringify(path)}`;

export const httpTexts = {
  brokeOff: 'the connection broke off',
  unreachable: (url: string, reason: string) => `${url} cannot be reached: ${reason}`,
  refused: (url: string, status: number) =>
    `${url} refuses us (HTTP ${status}): put a token into \`headers\`, such as {"Authorization": "Bearer …"}`,
  sessionLost: (url: string) => `${url} does not know this session any more (HTTP 404)`,
  status: (url: string, status: number, said: string) => {
    const text = said.trim().startsWith('<') ? '' : excerpt(said.trim());
    return `${url} answered with HTTP ${status}${text === '' || text === 'null' ? '' : `: ${text}`}`;
  },
  notMcp: (url: string, type: string) =>
    `${url} does not speak MCP: it answered with ${type === 'null' ? 'no content type' : excerpt(type)}`,
  encoded: (url: string, encoding: string) =>
    `${url} answered with content-encoding ${excerpt(encoding)}, which was not asked for: let it, or the proxy before it, send plain text`,
  notRpc: (url: string) => `${url} does not speak MCP: its answer is no message of JSON-RPC`,
};

// What was seen

const shownStray = 200;

export function factsText(facts: {
  readonly program: string;
  readonly stderr: string;
  readonly stray: string;
}): string {
  const said = stderrLine(facts.stderr);
  return [
    `; program: ${facts.program}`,
    facts.stray === '' ? '' : `; on its stdout: ${JSON.stringify(facts.stray)} (logs belong on stderr)`,
    said === '' ? '' : `; stderr: ${said}`,
  ].join('');
}

export const strayExcerpt = (text: string): string => excerpt(text.trim());

const excerpt = (text: string): string => (text.length > shownStray ? `${text.slice(0, shownStray)}…` : text);

const oneLine = (text: string): string => text.replace(/[\r\n]+/g, ' ');

// What a server is told

export const notOfferedText = (method: string): string => `not offered: ${excerpt(method)}`;

// What we have to say about a server that goes on

export const listedTwiceText = (tool: string): string => `tool \`${tool}\` is listed twice: the first counts`;
export const namelessText = 'a tool without a name is left out';
export const deepToolText = (tool: string, limit: number): string =>
  `tool \`${tool}\` is nested more than ${limit} levels deep: its schemas are left out`;
export const notListeningText = (reason: string): string =>
  `what the server tells of its own accord is not listened to any more: ${reason}`;
export const noOwnStreamText = 'it does not offer the stream of events any more';
export const fruitlessText = (times: number): string => `its stream of events ended ${times} times without a message`;
export const keptListText = (reason: string): string => `the list of tools could not be read again: ${reason}`;
export const unreadInputText = (limit: number): string =>
  `the server does not read its input: more than ${limit} bytes (${limit / 2 ** 20} MiB) would be waiting for it`;
