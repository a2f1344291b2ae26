import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { Writer } from '../../src/connection/writer.js';
import { CodemodeError } from '../../src/errors.js';
import { FrameDecoder, jsonCodec } from '../../src/protocol/index.js';
import { FakeHost, failure, join, turns } from './fake-host.js';

/** A pipe that takes nothing until it is told to. */
class SlowSink extends Writable {
  readonly writes: Buffer[] = [];
  #pass: (() => void)[] = [];
  open: boolean;

  constructor(open: boolean, highWaterMark = 16_384) {
    super({ highWaterMark });
    this.open = open;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.writes.push(chunk);
    if (this.open) done();
    else this.#pass.push(done);
  }

  async take(): Promise<void> {
    while (this.#pass.length > 0) {
      this.#pass.shift()?.();
      await turns(1);
    }
  }

  get frames(): unknown[] {
    return [...new FrameDecoder().push(Buffer.concat(this.writes))].map((body) => jsonCodec.decode(body));
  }
}

function writer(sink: Writable, answerLimit = 1024) {
  const broken: CodemodeError[] = [];
  const made = new Writer(sink, { codec: jsonCodec, answerLimit, broken: (error) => broken.push(error) });
  return { writer: made, broken, send: (id: number, lane: 'request' | 'answer' = 'request') => send(made, id, lane) };
}

const send = (to: Writer, id: number, lane: 'request' | 'answer') =>
  to.send(to.encode({ type: 'operation/cancel', id }), lane);

const big = (id: number) =>
  ({ type: 'delegate/response', id, result: { status: 'error', message: 'x'.repeat(300_000) } }) as const;

test('the frames of one tick are one write', async () => {
  const sink = new SlowSink(true);
  const { send } = writer(sink);
  for (let id = 0; id < 100; id++) send(id);
  await turns();
  assert.equal(sink.writes.length, 1);
  assert.equal(sink.frames.length, 100);
});

test('a large body is handed on without a copy', async () => {
  const sink = new SlowSink(true);
  const { writer: to } = writer(sink);
  const frame = to.encode(big(1));
  to.send(frame, 'answer');
  await turns();
  assert.equal(sink.writes.length, 2);
  assert.equal(sink.writes[1]?.buffer, frame[1]?.buffer);
});

test('128 requests wait for a host that does not read, one more is too many', async () => {
  const sink = new SlowSink(false);
  const { writer: to, send, broken } = writer(sink);
  to.send(to.encode(big(1)), 'request');
  await turns();
  for (let id = 0; id < 128; id++) send(id);
  assert.equal(to.waiting, 128);
  assert.throws(
    () => send(128),
    (error) =>
      error instanceof CodemodeError &&
      error.code === 'queue-full' &&
      error.message === 'code-mode host outgoing queue is full',
  );
  await sink.take();
  assert.equal(sink.frames.length, 129);
  assert.equal(to.waiting, 0);
  send(200);
  assert.deepEqual(broken, []);
});

test('answers wait apart from requests, as many as the host may have calls open', async () => {
  const sink = new SlowSink(false);
  const { writer: to, send } = writer(sink, 300);
  to.send(to.encode(big(1)), 'request');
  await turns();
  for (let id = 0; id < 300; id++) send(id, 'answer');
  send(300);
  assert.throws(() => send(301, 'answer'), /outgoing queue is full/);
});

test('200 frames of 300 KB reach a slow reader intact and in order', async () => {
  const sink = new SlowSink(false);
  const { writer: to } = writer(sink);
  for (let id = 0; id < 200; id++) to.send(to.encode(big(id)), 'answer');
  await turns();
  await sink.take();
  assert.deepEqual(
    sink.frames.map((frame) => (frame as { id: number }).id),
    Array.from({ length: 200 }, (_, id) => id),
  );
});

test('a pipe that breaks, or closes, while frames wait is reported once and holds no listener', async () => {
  for (const error of [Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), undefined]) {
    const sink = new SlowSink(false);
    const { writer: to, send, broken } = writer(sink);
    to.send(to.encode(big(1)), 'request');
    await turns();
    send(2);
    sink.destroy(error);
    await turns();
    assert.deepEqual(
      broken.map(({ message }) => message),
      [
        error === undefined
          ? 'code-mode host writer closed'
          : 'failed to write code-mode host message: Broken pipe (os error 32)',
      ],
    );
    assert.equal(sink.listenerCount('drain'), 0);
    send(3);
  }
});

test('a pipe that was broken before there was a writer is reported too', async () => {
  const sink = new SlowSink(true);
  sink.on('error', () => undefined);
  sink.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  await turns();
  assert.equal(writer(sink).broken.length, 1);
});

test('a host that never reads ends the connection when its queue is full, and every call settles', async (t) => {
  const host = new FakeHost();
  const { connection } = await join(t, { host });
  const session = await host.open(connection);
  host.stdin.pause();
  host.stdin.removeAllListeners('data');
  const calls = [];
  const source = 'x'.repeat(40_000);
  for (let i = 0; i < 140; i++) {
    calls.push(failure(connection.execute(session, { tool_call_id: '', enabled_tools: [], source })));
    await turns(1);
  }
  for (const error of await Promise.all(calls)) {
    assert.equal(error.message, 'code-mode host outgoing queue is full');
    assert.equal(error.code, 'queue-full');
  }
});
