import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { type ChannelEnd, stdioChannel } from '../../../src/exec-server/connection/index.js';
import { LineFramer } from '../../../src/exec-server/connection/line-framer.js';
import { turns } from './raw-peer.js';

function framed(bytes: Buffer, sizes: (at: number) => number): string[] {
  const framer = new LineFramer();
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + Math.max(1, sizes(at));
    let rest: Uint8Array = bytes.subarray(at, end);
    while (rest.length > 0) {
      const next = framer.next(rest);
      if (next.line !== undefined) lines.push(next.line);
      rest = next.rest;
    }
    at = end;
  }
  const last = framer.end();
  return last === undefined ? lines : [...lines, last];
}

const texts = ['{"a":1}', ' {"b":"é😀\u2028\u0085"}\r', '', ' \t\r', '{"c":"\\n"}', '\ufeff{"d":1}', '{"e":"a\rb"}'];
const stream = Buffer.from(`${texts.join('\n')}\n{"last":1}`);
const expected = [...texts.filter((text) => !/^[ \t\r]*$/.test(text)), '{"last":1}'];

test('lines are the same, wherever the stream is cut', () => {
  assert.deepEqual(
    framed(stream, () => stream.length),
    expected,
  );
  for (const size of [1, 2, 3, 7, 64])
    assert.deepEqual(
      framed(stream, () => size),
      expected,
      `pieces of ${size}`,
    );
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % 40;
  };
  for (let run = 0; run < 200; run++) assert.deepEqual(framed(stream, random), expected, `run ${run}`);
});

test('a line of the limit is taken, and one byte more ends the stream with its reason', () => {
  const fits = new LineFramer(1_000);
  assert.equal(fits.next(Buffer.from(`${'x'.repeat(1_000)}\n`)).line, 'x'.repeat(1_000));
  for (const size of [1, 100, 2_000]) {
    const framer = new LineFramer(1_000);
    const bytes = Buffer.from('x'.repeat(1_001));
    assert.throws(
      () => {
        for (let at = 0; at < bytes.length; at += size) framer.next(bytes.subarray(at, at + size));
      },
      { code: 'protocol-error', message: 'a line has more than 1000 bytes' },
    );
  }
});

test('64 MiB without a newline cost no more than that, and the next byte is too much', { timeout: 60_000 }, () => {
  const framer = new LineFramer();
  const chunk = Buffer.alloc(65_536, 0x78);
  for (let n = 0; n < 1_024; n++) framer.next(chunk);
  assert.equal(framer.next(Buffer.from('\n')).line?.length, 67_108_864);
  for (let n = 0; n < 1_024; n++) framer.next(chunk);
  assert.throws(() => framer.next(Buffer.from('x')), { code: 'protocol-error' });
});

test('bytes that are no UTF-8 end the stream', () => {
  const framer = new LineFramer();
  assert.throws(() => framer.next(Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a])), {
    message: 'a message is not valid UTF-8',
  });
});

test('a paused channel hands over nothing, and loses nothing', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const channel = stdioChannel({ input, output });
  const heard: string[] = [];
  const ends: ChannelEnd[] = [];
  channel.start({
    message: (text) => {
      heard.push(text);
      if (heard.length === 2) channel.pause();
    },
    end: (end) => ends.push(end),
  });
  input.write('1\n2\n3\n4\n');
  await turns();
  assert.deepEqual([heard, ends], [['1', '2'], []]);
  channel.resume();
  input.end();
  await turns();
  assert.deepEqual([heard, ends], [['1', '2', '3', '4'], [{ reason: undefined, writable: true }]]);
  await channel.close();
});

test('an input that breaks is reported once, with its cause', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const channel = stdioChannel({ input, output });
  const ends: ChannelEnd[] = [];
  channel.start({ message: () => {}, end: (end) => ends.push(end) });
  input.destroy(new Error('broken for a test'));
  await turns();
  assert.equal(ends.length, 1);
  assert.match(ends[0]?.reason?.message ?? '', /broken for a test/);
  await channel.close();
});

test('a channel over the streams of the program leaves them open, and others are ended', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const channel = stdioChannel({ input, output });
  channel.start({ message: () => {}, end: () => {} });
  await channel.send('last');
  await channel.close();
  assert.equal(output.writableEnded, false);
  assert.equal(input.destroyed, true);
  assert.equal(String(output.read()), 'last\n');
});
