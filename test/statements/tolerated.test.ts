import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closed, initial, result, toolCall } from '../connection/fake-host.js';
import {
  type CallName,
  completed,
  EXECUTE_NOW,
  OPEN_4,
  opened,
  type Part,
  refusal,
  SHUTDOWN_3,
  scene,
  sessionClosed,
  started,
  TERMINATE_2,
  WAIT_1,
  WAIT_2,
  yielded,
} from './scene.js';

// Statements 70, 91 and 94 to 99: what a host may say. Whatever it is, every call gets its own answer, and the host and
// its sessions go on.

const failed = { result: { status: 'error', message: 'no result' } };
/** The answers to all calls, but for those that a row gives by itself. */
const answers: ReadonlyMap<CallName, Part> = new Map<CallName, Part>([
  ['wait 1', completed(WAIT_1, yielded('1'))],
  ['wait 2', completed(WAIT_2, yielded('2'))],
  ['terminate 2', completed(TERMINATE_2, yielded('2'))],
  ['shutdown 3', sessionClosed(SHUTDOWN_3, 'session-3')],
  ['open 4', opened(OPEN_4, 'session-4')],
  ['execute', started(EXECUTE_NOW, '9')],
  ['first answer', initial(EXECUTE_NOW, result('9'))],
]);

interface Expected {
  /** The calls that the parts answer. */
  readonly gives?: readonly CallName[];
  /** Of these, those that fail, with the host's words. */
  readonly fails?: Partial<Record<CallName, string>>;
  /** The cells of session 1 that are closed at once, and those that the end of the session closes. */
  readonly closes?: readonly [atOnce: readonly string[], atTheEnd: readonly string[]];
  /** Calls of tools that reach the delegate of session 1. */
  readonly calls?: readonly string[];
}

const rows: readonly (readonly [title: string, parts: readonly Part[], expected: Expected])[] = [
  ['70: an unknown field', [{ ...completed(WAIT_1, yielded('1')), extra: [1] }], { gives: ['wait 1'] }],
  [
    '91: the id of a closed cell for another',
    [closed('1'), started(EXECUTE_NOW, '1'), initial(EXECUTE_NOW, result('1'))],
    { gives: ['execute', 'first answer'], closes: [['1'], ['1']] },
  ],
  [
    '94: the end of a cell before its first result',
    [started(EXECUTE_NOW, '9'), closed('9'), initial(EXECUTE_NOW, result('9'))],
    { gives: ['execute', 'first answer'], closes: [['9'], ['1']] },
  ],
  ['95: no end of a cell at all', [], {}],
  ['96: the cancellation of an unknown call', [{ type: 'delegate/cancel', id: 4_711 }], {}],
  [
    '97: calls for an unknown cell and session, and then their id for a known cell',
    [toolCall(5, 'ghost'), toolCall(5, '1', null, 'nosuch'), started(EXECUTE_NOW, '9'), toolCall(5, '1')],
    { gives: ['execute'], calls: ['tool-5'] },
  ],
  ['98: an error for an open', [refusal(OPEN_4, 'no open')], { gives: ['open 4'], fails: { 'open 4': 'no open' } }],
  [
    '98: an error for an execute',
    [refusal(EXECUTE_NOW, 'no cell')],
    {
      gives: ['execute', 'first answer'],
      fails: { execute: 'no cell', 'first answer': 'no cell' },
      closes: [[], ['1']],
    },
  ],
  ['98: an error for a wait', [refusal(WAIT_2, 'no wait')], { gives: ['wait 2'], fails: { 'wait 2': 'no wait' } }],
  [
    '98: an error for a terminate',
    [refusal(TERMINATE_2, 'no end')],
    { gives: ['terminate 2'], fails: { 'terminate 2': 'no end' } },
  ],
  [
    '99: an error for a first result',
    [started(EXECUTE_NOW, '9'), { type: 'execute/initialResponse', id: EXECUTE_NOW, ...failed }],
    { gives: ['execute', 'first answer'], fails: { 'first answer': 'no result' } },
  ],
];

for (const [title, parts, { gives = [], fails = {}, closes, calls = [] }] of rows) {
  test(`every call gets its own answer, and the host goes on: ${title}`, async (t) => {
    const rest = [...answers].filter(([name]) => !gives.includes(name)).map(([, answer]) => answer);
    const { sessions, delegates, outcomes, pids } = await scene(t, [...parts, ...rest]);
    for (const [name, ended] of outcomes) assert.equal((await ended)?.message, fails[name], name);
    const [atOnce, atTheEnd] = closes ?? [[], ['1', '9']];
    const [one] = delegates;
    assert.deepEqual(one!.closed, atOnce);
    assert.deepEqual(
      one!.calls.map(({ callId }) => callId),
      calls,
    );
    const next = await sessions[1]!.execute({ source: '' });
    assert.deepEqual([next.id, (await next.initial).kind, pids().length], ['4', 'yielded', 1]);
    await sessions[0]!.shutdown();
    assert.deepEqual(one!.closed, [...atOnce, ...atTheEnd]);
    assert.deepEqual(delegates[2]!.closed, ['3']);
  });
}
