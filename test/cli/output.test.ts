import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { Output } from '../../src/cli/output.js';

/** A stream that takes one chunk at a time, when told to. */
function slowStream() {
  const seen: string[] = [];
  let take = (): void => {};
  const stream = new Writable({
    highWaterMark: 4,
    decodeStrings: false,
    write(chunk, _encoding, done) {
      take = () => {
        seen.push(String(chunk));
        done();
      };
    },
  });
  return { stream, seen, take: () => take() };
}

const isPending = async (promise: Promise<unknown>): Promise<boolean> => {
  const pending = Symbol('pending');
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, Promise.resolve(pending)])) === pending;
};

test('there is room until the stream is full, and again when it has drained', async () => {
  const { stream, take } = slowStream();
  const output = new Output(stream);
  output.write('a');
  await output.ready();
  output.write('bcdef');
  const room = output.ready();
  assert.equal(await isPending(room), true);
  take();
  await new Promise((resolve) => setImmediate(resolve));
  take();
  await room;
});

test('flush waits until all has left, in order', async () => {
  const { stream, seen, take } = slowStream();
  const output = new Output(stream);
  output.write('a');
  output.write('b');
  const flushed = output.flush();
  take();
  assert.equal(await isPending(flushed), true);
  take();
  await new Promise((resolve) => setImmediate(resolve));
  take();
  await flushed;
  assert.equal(seen.join(''), 'ab');
});

test('a reader that goes away is told once, and releases whoever waits', async () => {
  const { stream } = slowStream();
  const told: unknown[] = [];
  const output = new Output(stream, (error) => told.push(error.code));
  output.write('abcdef');
  const waiting = Promise.all([output.ready(), output.flush()]);
  stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  await waiting;
  assert.deepEqual(told, ['EPIPE']);
  output.write('ignored');
  await output.ready();
  await output.flush();
  assert.equal(stream.listenerCount('drain'), 0);
});
