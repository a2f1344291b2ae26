import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { CodemodeError } from '../../src/errors.js';
import type { RuntimeResponse } from '../../src/protocol/index.js';
import type { Host } from '../../src/supervisor/host.js';
import type { Session } from '../../src/supervisor/session.js';
import { answer, Recorder, toolCall, turns, yielded } from '../connection/fake-host.js';
import { supervise } from '../supervisor/hosts.js';
import { fixture } from '../support/cli.js';

// A host of the fixture `says-what-it-is-told`, with every kind of call under way. Requests have the ids that are given
// here, so that a test can write down what the host is to answer.
export const OPEN_1 = 1;
export const EXECUTE_1 = 4;
export const WAIT_1 = 7;
export const WAIT_2 = 8;
export const TERMINATE_2 = 9;
export const SHUTDOWN_3 = 10;
export const OPEN_4 = 11;
/** The call that makes the host do it. */
export const EXECUTE_NOW = 12;
/** The call of a tool that is under way in cell 2 of session 2. */
export const TOOL_CALL = 900;

export type CallName = 'wait 1' | 'wait 2' | 'terminate 2' | 'shutdown 3' | 'open 4' | 'execute' | 'first answer';

/** What the host says, or does: a message, bytes in hex, or an act. */
export type Part = object | string;

export const completed = (id: number, value: RuntimeResponse) =>
  answer(id, { type: 'wait/completed', outcome: { LiveCell: value } });
export const started = (id: number, cellId: string) => answer(id, { type: 'execution/started', cellId });
export const opened = (id: number, sessionId: string) => answer(id, { type: 'session/ready', sessionId });
export const sessionClosed = (id: number, sessionId: string) => answer(id, { type: 'session/closed', sessionId });
export const refusal = (id: number, message: string): Part => ({
  type: 'operation/response',
  id,
  result: { status: 'error', message },
});
export { yielded };

/** The bytes of a frame, with whatever stands in it. */
export function frame(body: string): string {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(Buffer.byteLength(body));
  return Buffer.concat([head, Buffer.from(body)]).toString('hex');
}

export interface Scene {
  readonly host: Host;
  readonly sessions: readonly Session[];
  readonly delegates: readonly Recorder[];
  /** Tells how a call ended: with its failure, or with `undefined`. */
  readonly outcomes: ReadonlyMap<CallName, Promise<CodemodeError | undefined>>;
  pids(): number[];
}

const outcome = (call: Promise<unknown>): Promise<CodemodeError | undefined> =>
  call.then(
    () => undefined,
    (error: CodemodeError) => error,
  );

/** Three sessions with a cell each, and two waits, a terminate, a shutdown, an open and an execute that wait. */
export async function scene(t: TestContext, parts: readonly Part[], limits = {}): Promise<Scene> {
  const { host, pids } = supervise(t, { program: fixture('says-what-it-is-told'), limits });
  const delegates = [1, 2, 3].map(() => new Recorder(() => new Promise(() => undefined)));
  const sessions: Session[] = [];
  for (const delegate of delegates) sessions.push(await host.openSession({ delegate }));
  for (const session of sessions) await (await session.execute({ source: '' })).initial;
  const [one, two, three] = sessions as [Session, Session, Session];
  const outcomes = new Map<CallName, Promise<CodemodeError | undefined>>();
  outcomes.set('wait 1', outcome(one.wait('1', { yieldTimeMs: 1 })));
  outcomes.set('wait 2', outcome(two.wait('2', { yieldTimeMs: 1 })));
  outcomes.set('terminate 2', outcome(two.terminate('2')));
  outcomes.set('shutdown 3', outcome(three.shutdown()));
  await turns(1);
  outcomes.set('open 4', outcome(host.openSession({ delegate: new Recorder() })));
  await turns(1);
  const source = JSON.stringify([toolCall(TOOL_CALL, '2', null, 'session-2'), ...parts]);
  const executing = one.execute({ source });
  outcomes.set('execute', outcome(executing));
  outcomes.set('first answer', outcome(executing.then(({ initial }) => initial)));
  return { host, sessions, delegates, outcomes, pids };
}

export interface Death {
  readonly text: string | RegExp;
  readonly code: CodemodeError['code'];
  /** Calls that have their answers before it happens. */
  readonly answered?: readonly CallName[];
  /** The cells of each session that were live. */
  readonly cells?: readonly (readonly string[])[];
}

function gone(pid: number): void {
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
}

/**
 * The host does what it is told, and that ends the connection: one reason for every call of every session and for later
 * ones, every live cell closed once, calls of tools revoked, the process gone, and the next use starts another host.
 */
export async function dies(t: TestContext, parts: readonly Part[], expected: Death, limits = {}): Promise<void> {
  const { sessions, delegates, outcomes, pids } = await scene(t, parts, limits);
  const { text, code, answered = [], cells = [['1'], ['2'], ['3']] } = expected;
  const errors = new Set<CodemodeError>();
  for (const [name, ended] of outcomes) {
    const error = await ended;
    if (answered.includes(name)) assert.equal(error, undefined, name);
    else if (error !== undefined) errors.add(error);
    else assert.fail(`${name} was answered`);
  }
  const [one, two] = sessions as [Session, Session];
  errors.add((await outcome(one.wait('1', { yieldTimeMs: 1 })))!);
  const [first, ...others] = errors as unknown as Iterable<CodemodeError>;
  if (typeof text === 'string') assert.equal(first!.message, text);
  else assert.match(first!.message, text);
  assert.equal(first!.code, code);
  for (const other of others) assert.deepEqual([other.message, other.code], [first!.message, code]);
  assert.deepEqual(
    delegates.map(({ closed }) => closed),
    cells,
  );
  assert.deepEqual(
    delegates[1]!.signals.map(({ aborted }) => aborted),
    [true],
  );
  const next = await one.execute({ source: '' });
  assert.deepEqual([one.id, next.id, pids().length], ['session-5', 'g2:1', 2]);
  gone(pids()[0]!);
  await two.execute({ source: '' });
  assert.deepEqual([two.id, pids().length], ['session-6', 2]);
}
