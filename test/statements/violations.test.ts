import { test } from 'node:test';
import { closed, initial, result, toolCall } from '../connection/fake-host.js';
import {
  completed,
  type Death,
  dies,
  EXECUTE_1,
  EXECUTE_NOW,
  frame,
  OPEN_1,
  OPEN_4,
  opened,
  type Part,
  refusal,
  SHUTDOWN_3,
  sessionClosed,
  started,
  TERMINATE_2,
  TOOL_CALL,
  WAIT_1,
  WAIT_2,
  yielded,
} from './scene.js';

// Statements 68 to 93: what a live host must not say. Each row is said by a real process while calls of four sessions
// wait; what is looked at afterwards stands in `dies`.

const unread = 'failed to read code-mode host message: ';
const undecodable = /^failed to read code-mode host message: failed to decode code-mode IPC frame: /;
const unknownId = (id: number) => `code-mode host returned unknown request ID RequestId(${id})`;
const unknownInitial = (id: number) =>
  `code-mode host returned initial response for unknown request ID RequestId(${id})`;
const invalid = (kind: string) => `code-mode host returned an invalid ${kind} response`;
const again = 'code-mode host sent a second handshake response';
const unknownCell = (session: string) => `code-mode host closed unknown cell in session ${session}`;
const otherCell = (target: string) => `code-mode host returned cell other for request targeting ${target}`;
type Row = readonly [title: string, parts: readonly Part[], text: Death['text'], more?: Partial<Death>];

const rows: readonly Row[] = [
  ['68: a frame that is not JSON', [frame('{a}')], undecodable],
  ['69: an unknown type of message', [{ type: 'future/thing' }], /^failed to read .*"future\/thing"$/],
  ['71: an id of 2.5', [{ type: 'delegate/cancel', id: 2.5 }], /^failed to read code-mode host message: .*`id`.*2\.5$/],
  ['72: a length of 2 GiB', ['00000080'], `${unread}code-mode IPC frame length 2147483648 exceeds 67108864 bytes`],
  ['73: a length of 64 MiB and 1', ['01000004'], `${unread}code-mode IPC frame length 67108865 exceeds 67108864 bytes`],
  ['74: a length of 0', ['00000000'], undecodable],
  [
    '77: the end of the stream inside a frame',
    ['0a0000007b', { exit: 0 }],
    `${unread}early eof: stream ended inside a frame body, 1 of 10 bytes; exit status: 0`,
  ],
  ['78: an answer to nothing', [completed(4242, yielded('1'))], unknownId(4242)],
  [
    '79: a second answer',
    [completed(WAIT_1, yielded('1')), completed(WAIT_1, yielded('1'))],
    unknownId(WAIT_1),
    { answered: ['wait 1'] },
  ],
  ['80: a first result before the start', [initial(EXECUTE_NOW, result('9'))], unknownInitial(EXECUTE_NOW)],
  ['81: a second first result', [initial(EXECUTE_1, result('1'))], unknownInitial(EXECUTE_1)],
  ['82: a first result for nothing', [initial(777, result('1'))], unknownInitial(777)],
  [
    '83: a first result of another cell',
    [started(EXECUTE_NOW, '9'), initial(EXECUTE_NOW, result('zzz'))],
    'code-mode host returned initial response for cell zzz instead of 9',
    { answered: ['execute'], cells: [['1', '9'], ['2'], ['3']] },
  ],
  ['84: a second ready', [{ type: 'connection/ready', selectedVersion: 1, capabilities: [] }], again],
  [
    '85: a rejection after the ready',
    [{ type: 'connection/rejected', reason: { type: 'invalidHello', message: 'late' } }],
    again,
  ],
  ['86: the end of an unknown cell', [closed('ghost')], unknownCell('session-1')],
  [
    '87: the end of a cell in an unknown session',
    [closed('1', 'nosuch')],
    'code-mode host closed cell 1 in unknown session nosuch',
  ],
  ['88: the end of a cell twice', [closed('2', 'session-2'), closed('2', 'session-2')], unknownCell('session-2')],
  ['89: an open answered with another type', [started(OPEN_4, '9')], invalid('open-session')],
  ['89: an open answered for another session', [opened(OPEN_4, 'session-1')], invalid('open-session')],
  ['89: an open answered twice', [opened(OPEN_1, 'session-1')], unknownId(OPEN_1)],
  ['90: an execute answered with another type', [opened(EXECUTE_NOW, 'session-1')], invalid('execute')],
  [
    '91: the id of a live cell for another',
    [started(EXECUTE_NOW, '1')],
    'code-mode host reused live cell 1 in session session-1',
  ],
  ['92: a wait answered for another cell', [completed(WAIT_2, yielded('other'))], otherCell('2')],
  ['92: a wait answered with another type', [started(WAIT_2, '2')], invalid('cell')],
  ['92: a terminate answered for another cell', [completed(TERMINATE_2, yielded('other'))], otherCell('2')],
  ['92: a terminate answered with another type', [started(TERMINATE_2, '2')], invalid('cell')],
  ['93: a shutdown refused', [refusal(SHUTDOWN_3, 'cannot close')], 'cannot close', { code: 'operation-failed' }],
  ['93: a shutdown answered with another type', [started(SHUTDOWN_3, '3')], invalid('shutdown')],
  ['93: a shutdown answered for another session', [sessionClosed(SHUTDOWN_3, 'session-1')], invalid('shutdown')],
  [
    'a call of a tool with the id of another',
    [toolCall(TOOL_CALL, '2', null, 'session-2')],
    `duplicate code-mode delegate request ID DelegateRequestId(${TOOL_CALL})`,
  ],
];

for (const [title, parts, text, more] of rows) {
  test(`one reason for everybody, no process left, another host next: ${title}`, (t) =>
    dies(t, parts, { text, code: 'protocol-error', ...more }));
}
