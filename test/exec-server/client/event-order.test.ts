import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventOrder } from '../../../src/exec-server/client/event-order.js';
import type { NumberedEvent, ProcessOutput } from '../../../src/exec-server/client/process-event.js';
import { brief } from './read-events.js';

const output = (seq: number, text = `${seq}`): NumberedEvent => ({
  seq,
  event: { type: 'output', seq, stream: 'stdout', bytes: Buffer.from(text) },
});
const exited = (seq: number): NumberedEvent => ({ seq, event: { type: 'exited', code: 0, sandboxDenied: false } });
const closed = (seq: number): NumberedEvent => ({ seq, event: { type: 'closed' } });

const retained = (seqs: readonly number[], nextSeq: number, more: Partial<ProcessOutput> = {}): ProcessOutput => ({
  chunks: seqs.map((seq) => ({ type: 'output', seq, stream: 'stdout', bytes: Buffer.from(`${seq}`) })),
  nextSeq,
  exited: false,
  closed: false,
  ...more,
});

const added = (order: EventOrder, events: readonly NumberedEvent[]) =>
  events.flatMap((event) => order.add(event)).map(brief);
const merged = (order: EventOrder, answer: ProcessOutput) => order.merge(answer).map(brief);

test('events are told in the order of their numbers, each once, whatever order they come in', () => {
  const events = [output(1), output(2), exited(3), output(4), closed(5)];
  const told = ['1', '2', { exited: 0 }, '4', 'closed'];
  for (let seed = 1; seed <= 500; seed++) {
    const shuffled = [...events, ...events].map((event, index) => ({
      event,
      key: (seed * 48_271 * (index + 1)) % 2_147_483_647,
    }));
    const order = new EventOrder();
    const mixed = shuffled.sort((one, other) => one.key - other.key).map(({ event }) => event);
    assert.deepEqual(added(order, mixed), told);
    assert.ok(order.closed && !order.holey);
  }
});

test('what comes early waits for what is missing', () => {
  const order = new EventOrder();
  assert.deepEqual(added(order, [output(3), output(1)]), ['1']);
  assert.ok(order.holey);
  assert.deepEqual(added(order, [output(2)]), ['2', '3']);
  assert.equal(order.last, 3);
});

test('nothing comes after closed', () => {
  const order = new EventOrder();
  assert.deepEqual(added(order, [closed(1), output(2), closed(1)]), ['closed']);
  assert.deepEqual(merged(order, retained([2], 3)), []);
});

test('an answer fills the hole that was left by a lost notification', () => {
  const order = new EventOrder();
  added(order, [output(1), output(3)]);
  assert.deepEqual(merged(order, retained([2, 3], 4)), ['2', '3']);
  assert.deepEqual(added(order, [output(4)]), ['4']);
});

test('the exit, which an answer tells without its number, stands in the hole', () => {
  const end = { exited: true, exitCode: 7, closed: true };
  assert.deepEqual(merged(new EventOrder(), retained([1, 2], 5, end)), ['1', '2', { exited: 7 }, 'closed']);
  assert.deepEqual(merged(new EventOrder(), retained([1, 3], 5, end)), ['1', { exited: 7 }, '3', 'closed']);
  assert.deepEqual(merged(new EventOrder(), retained([2], 4, end)), [{ exited: 7 }, '2', 'closed']);
  assert.deepEqual(merged(new EventOrder(), retained([], 3, end)), [{ exited: 7 }, 'closed']);
  const open = { exited: true, exitCode: 7 };
  assert.deepEqual(merged(new EventOrder(), retained([1], 3, open)), ['1', { exited: 7 }]);
  const known = new EventOrder();
  added(known, [output(1), exited(2)]);
  assert.deepEqual(merged(known, retained([3], 5, end)), ['3', 'closed']);
});

test('a process that ended for a server without numbers for its end is told to have ended', () => {
  assert.deepEqual(merged(new EventOrder(), retained([1], 2, { exited: true, exitCode: 0 })), ['1', { exited: 0 }]);
});

test('evicted output is a gap with its size', () => {
  const order = new EventOrder();
  added(order, [output(1, 'four'), output(2, 'four')]);
  assert.deepEqual(merged(order, retained([6, 7], 8)), [{ gap: 3 }, '6', '7']);
  const told = new EventOrder();
  added(told, [output(1, 'four')]);
  assert.deepEqual(merged(told, retained([5], 6, { droppedBytes: 100 })), [{ gap: 3, bytes: 96 }, '5']);
  assert.deepEqual(merged(told, retained([9], 10, { droppedBytes: 201 })), [{ gap: 3, bytes: 100 }, '9']);
});

test('output that was pushed early does not count as lost, although it was evicted since', () => {
  const order = new EventOrder();
  added(order, [output(1, 'four'), output(4, 'four'), output(5, 'four')]);
  assert.deepEqual(merged(order, retained([7], 8, { droppedBytes: 24 })), [
    { gap: 2, bytes: 12 },
    'four',
    'four',
    { gap: 1 },
    '7',
  ]);
  assert.deepEqual(merged(order, retained([9], 10, { droppedBytes: 30 })), [{ gap: 1, bytes: 5 }, '9']);
});

test('when everything was evicted, the gap and the end are told', () => {
  const end = { exited: true, exitCode: 1, closed: true };
  assert.deepEqual(merged(new EventOrder(), retained([], 10, end)), [{ gap: 7 }, { exited: 1 }, 'closed']);
  assert.deepEqual(merged(new EventOrder(), retained([], 10)), [{ gap: 9 }]);
});

test('an exit that was pushed early keeps its place in front of retained output', () => {
  const order = new EventOrder();
  added(order, [exited(4)]);
  const answer = retained([6], 8, { exited: true, exitCode: 0, closed: true });
  assert.deepEqual(merged(order, answer), [{ gap: 3 }, { exited: 0 }, { gap: 1 }, '6', 'closed']);
});

test('numbers of any size cost nothing', () => {
  const order = new EventOrder();
  assert.deepEqual(merged(order, retained([2 ** 52], 2 ** 52 + 1)), [{ gap: 2 ** 52 - 1 }, `${2 ** 52}`]);
});
