import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodemodeError } from '../../../src/errors.js';
import { type NumberedEvent, type ProcessOutput, sizeOf } from '../../../src/exec-server/client/process-event.js';
import { ProcessStream } from '../../../src/exec-server/client/process-stream.js';
import { turns } from '../connection/raw-peer.js';
import { brief } from './read-events.js';

const output = (seq: number, text = `${seq}`): NumberedEvent => ({
  seq,
  event: { type: 'output', seq, stream: 'stdout', bytes: Buffer.from(text) },
});
const exited = (seq: number): NumberedEvent => ({ seq, event: { type: 'exited', code: 0, sandboxDenied: false } });
const closed = (seq: number): NumberedEvent => ({ seq, event: { type: 'closed' } });

/** What an event takes besides its bytes. */
const COST = sizeOf({ type: 'closed' });

/** A server that keeps the last 50 bytes of what was produced, beside a stream that reads it. */
class Retention {
  readonly asked: number[] = [];
  readonly stream: ProcessStream;
  closings = 0;
  #events: NumberedEvent[] = [];

  constructor(options: { patienceMs?: number; bufferBytes?: number } = {}) {
    this.stream = new ProcessStream({
      processId: 'p',
      ask: (afterSeq) => {
        this.asked.push(afterSeq);
        return Promise.resolve(this.#answer(afterSeq));
      },
      onClosed: () => {
        this.closings++;
      },
      patienceMs: 5,
      ...options,
    });
    this.stream.start();
  }

  produce(event: NumberedEvent, pushed = true): void {
    this.#events.push(event);
    if (pushed) this.stream.push(event);
  }

  async next(): Promise<unknown> {
    const { value, done } = await this.stream.next();
    return done === true || value === undefined ? 'done' : brief(value);
  }

  #answer(afterSeq: number): ProcessOutput {
    const all = this.#events.flatMap(({ event }) => (event.type === 'output' ? [event] : []));
    let from = all.length;
    for (let bytes = 0; from > 0; from--) {
      bytes += all[from - 1]?.bytes.length ?? 0;
      if (bytes > 50) break;
    }
    const chunks = all.slice(from).filter(({ seq }) => seq > afterSeq);
    const has = (type: string) => this.#events.some(({ event }) => event.type === type);
    const nextSeq = Math.max(0, ...this.#events.map(({ seq }) => seq)) + 1;
    return { chunks, nextSeq, exited: has('exited'), exitCode: has('exited') ? 0 : null, closed: has('closed') };
  }
}

test('a lost notification is asked for when it stays away, and not before', async () => {
  const one = new Retention();
  one.produce(output(1));
  one.produce(output(2), false);
  one.produce(output(3));
  assert.deepEqual([await one.next(), one.asked], ['1', []]);
  assert.deepEqual([await one.next(), await one.next(), one.asked], ['2', '3', [1]]);
});

test('a notification that is merely late is waited for', async () => {
  const one = new Retention({ patienceMs: 60_000 });
  one.produce(output(2));
  one.produce(output(1));
  assert.deepEqual([await one.next(), await one.next(), one.asked], ['1', '2', []]);
  one.stream.fail(new CodemodeError('connection-closed', 'over'));
});

test('a lost end is asked for', async () => {
  const one = new Retention();
  one.produce(output(1));
  one.produce(exited(2));
  one.produce(closed(3), false);
  assert.deepEqual([await one.next(), await one.next(), await one.next()], ['1', { exited: 0 }, 'closed']);
  assert.equal(await one.next(), 'done');
  assert.equal(one.closings, 1);
});

test('a process whose leader is gone and which is not closed is asked about again and again, ever less often', async () => {
  const one = new Retention({ patienceMs: 1 });
  one.produce(exited(1));
  while (one.asked.length < 4) await turns(1);
  one.produce(output(2), false);
  one.produce(closed(3), false);
  assert.deepEqual([await one.next(), await one.next(), await one.next()], [{ exited: 0 }, '2', 'closed']);
});

test('a slow reader gets everything that is retained when it comes, and holds no more than the buffer', async () => {
  const one = new Retention({ bufferBytes: 2 * COST + 20 });
  for (let seq = 1; seq <= 9; seq++) one.produce(output(seq, `[${seq}......]`));
  one.produce(exited(10));
  one.produce(closed(11));
  await turns();
  assert.deepEqual(one.asked, []);
  const told: unknown[] = [];
  for (let next = await one.next(); next !== 'done'; next = await one.next()) told.push(next);
  const texts = [1, 2, 3].map((seq) => `[${seq}......]`);
  const kept = [5, 6, 7, 8, 9].map((seq) => `[${seq}......]`);
  assert.deepEqual(told, [...texts, { gap: 1 }, ...kept, { exited: 0 }, 'closed']);
  assert.equal(one.asked[0], 3);
});

test('a reader that keeps up is never served from the server', async () => {
  const one = new Retention({ bufferBytes: 2 * COST + 20 });
  for (let seq = 1; seq <= 100; seq++) {
    one.produce(output(seq, `${seq}`.padStart(9)));
    assert.equal(await one.next(), `${seq}`.padStart(9));
  }
  assert.deepEqual(one.asked, []);
  one.stream.fail(new CodemodeError('connection-closed', 'over'));
});

test('what comes behind a hole is not kept beyond the buffer either, and the server is asked at once', async () => {
  const one = new Retention({ bufferBytes: 3 * COST, patienceMs: 60_000 });
  one.produce(output(1), false);
  for (const seq of [2, 3, 4]) one.produce(output(seq));
  assert.deepEqual(one.asked, [0]);
  // While it is asked, more comes behind another hole.
  one.produce(output(5), false);
  for (const seq of [6, 7, 8, 9]) one.produce(output(seq));
  const told: unknown[] = [];
  while (told.length < 9) told.push(await one.next());
  assert.deepEqual(told, ['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  one.stream.fail(new CodemodeError('connection-closed', 'over'));
});

test('events without bytes count too', async () => {
  const one = new Retention({ bufferBytes: 10 * COST });
  for (let seq = 1; seq <= 100; seq++) one.produce(output(seq, ''));
  for (let seq = 1; seq <= 11; seq++) await one.next();
  assert.deepEqual(one.asked, [11]);
  one.stream.fail(new CodemodeError('connection-closed', 'over'));
});

test('a hundred thousand events are read one by one', async () => {
  const one = new Retention({ bufferBytes: Number.POSITIVE_INFINITY });
  for (let seq = 1; seq <= 100_000; seq++) one.stream.push(output(seq));
  for (let seq = 1; seq <= 100_000; seq++) assert.equal(await one.next(), `${seq}`);
  one.stream.fail(new CodemodeError('connection-closed', 'over'));
});

test('what was told is read before the failure, and then every further read fails', async () => {
  const one = new Retention();
  one.produce(output(1));
  one.stream.fail(new CodemodeError('connection-lost', 'gone'));
  one.produce(output(2));
  assert.equal(await one.next(), '1');
  for (let again = 0; again < 2; again++)
    await assert.rejects(one.next(), { code: 'connection-lost', message: 'gone' });
});

test('a reader that waits is woken by the failure', async () => {
  const one = new Retention();
  const waiting = one.next();
  one.stream.fail(new CodemodeError('connection-lost', 'gone'));
  await assert.rejects(waiting, { code: 'connection-lost' });
});

test('a server that cannot answer any more ends the stream with the reason', async () => {
  const stream = new ProcessStream({
    processId: 'p',
    ask: () => Promise.reject(new CodemodeError('operation-failed', 'unknown process id p')),
    onClosed: () => {},
  });
  stream.start();
  stream.repair();
  await assert.rejects(stream.next(), {
    code: 'connection-lost',
    message: 'the output of process p cannot be followed: unknown process id p',
  });
});
