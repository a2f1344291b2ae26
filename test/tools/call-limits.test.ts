import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallCounts, CallsInFlight } from '../../src/tools/call-limits.js';

const { signal } = new AbortController();

test('the call beyond the limit of a cell is refused, with the limit and its value', () => {
  const counts = new CallCounts(2);
  for (const cell of ['a', 'b']) for (let call = 0; call < 2; call += 1) counts.add(cell, 't');
  assert.throws(() => counts.add('a', 't'), {
    code: 'invalid-argument',
    message: 'tool `t` is not called: this cell has made 2 tool calls, the most that one cell may make',
    data: { tool: 't', limit: 'callsPerCell', value: 2 },
  });
  counts.forget('a');
  counts.add('a', 't');
});

test('100,000 cells leave nothing behind, and little when nobody says that they are over', () => {
  const told = new CallCounts(10);
  const untold = new CallCounts(10);
  for (let cell = 0; cell < 100_000; cell += 1) {
    for (const counts of [told, untold]) counts.add(String(cell), 't');
    told.forget(String(cell));
  }
  assert.equal(told.size, 0);
  assert.ok(untold.size <= 4_096, String(untold.size));
});

test('the cell that called last is not the one that is forgotten', () => {
  const counts = new CallCounts(20_000);
  for (let cell = 0; cell < 10_000; cell += 1) {
    counts.add('busy', 't');
    counts.add(String(cell), 't');
  }
  for (let call = 10_000; call < 20_000; call += 1) counts.add('busy', 't');
  assert.throws(() => counts.add('busy', 't'), /20000/);
});

test('places are given in the order of asking', async () => {
  const places = new CallsInFlight(2);
  const order: number[] = [];
  const inside = [0, 1, 2, 3, 4].map(async (number) => {
    const leave = await places.enter(signal);
    order.push(number);
    return leave;
  });
  const [first, second] = [await inside[0], await inside[1]];
  assert.deepEqual([order, places.running, places.waiting], [[0, 1], 2, 3]);
  second?.();
  second?.(); // a place is given back once
  await inside[2];
  assert.deepEqual([order, places.running, places.waiting], [[0, 1, 2], 2, 2]);
  first?.();
  (await inside[2])?.();
  for (const place of inside) (await place)();
  assert.deepEqual([order, places.running, places.waiting], [[0, 1, 2, 3, 4], 0, 0]);
});

test('who gives up leaves the queue, with the reason', async () => {
  const places = new CallsInFlight(1);
  const leave = await places.enter(signal);
  const stop = new AbortController();
  const gone = places.enter(stop.signal);
  const next = places.enter(signal);
  stop.abort(new Error('the cell is over'));
  await assert.rejects(gone, { message: 'the cell is over' });
  assert.equal(places.waiting, 1);
  leave();
  (await next)();
  await assert.rejects(places.enter(stop.signal), { message: 'the cell is over' });
  assert.deepEqual([places.running, places.waiting], [0, 0]);
});

test('a signal also frees the place of work that goes on', async () => {
  const places = new CallsInFlight(1);
  const stop = new AbortController();
  const leave = await places.enter(stop.signal);
  const next = places.enter(signal);
  stop.abort();
  const other = await next;
  leave();
  assert.equal(places.running, 1);
  other();
  assert.equal(places.running, 0);
});

test('a limit is a whole number of at least one, or none', () => {
  for (const limit of [0, -1, 1.5, Number.NaN, '3', null]) {
    assert.throws(() => new CallsInFlight(limit as number), {
      code: 'invalid-argument',
      message: /limits\.callsInFlight/,
    });
    assert.throws(() => new CallCounts(limit as number), { code: 'invalid-argument', message: /limits\.callsPerCell/ });
  }
  new CallCounts(Number.POSITIVE_INFINITY).add('a', 't');
});
