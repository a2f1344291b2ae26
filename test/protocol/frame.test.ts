import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodemodeError } from '../../src/errors.js';
import { encodeFrame, FrameDecoder } from '../../src/protocol/frame.js';
import { MAX_FRAME_BYTES } from '../../src/protocol/limits.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (body: Uint8Array) => new TextDecoder().decode(body);
const framed = (...bodies: Uint8Array[]) => Buffer.concat(bodies.flatMap((body) => encodeFrame(body)));

function decodeAll(decoder: FrameDecoder, chunks: Iterable<Uint8Array>): string[] {
  const out: string[] = [];
  for (const chunk of chunks) for (const body of decoder.push(chunk)) out.push(text(body));
  return out;
}

function* pieces(data: Uint8Array, size: () => number): Generator<Uint8Array> {
  for (let at = 0; at < data.length; ) {
    const end = at + size();
    yield data.subarray(at, end);
    at = end;
  }
}

function thrown(run: () => unknown): CodemodeError {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof CodemodeError);
    return error;
  }
  assert.fail('nothing was thrown');
}

/** A small generator with a seed, so that a failing run can be repeated. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

test('a frame is the little-endian length and the body', () => {
  assert.deepEqual(framed(bytes('{"é":1}')), Buffer.from('\x08\0\0\0{"é":1}'.replace('é', '\xc3\xa9'), 'latin1'));
});

test('a large body is not copied', () => {
  const body = new Uint8Array(100_000);
  const parts = encodeFrame(body);
  assert.equal(parts.length, 2);
  assert.equal(parts[1], body);
});

const bodies = ['{}', '', 'x'.repeat(5000), '{"a":"é"}', 'y'.repeat(70_000), '[1]'];
const stream = framed(...bodies.map(bytes));

test('frames come out the same byte by byte', () => {
  assert.deepEqual(
    decodeAll(
      new FrameDecoder(),
      pieces(stream, () => 1),
    ),
    bodies,
  );
});

test('frames come out the same from one chunk', () => {
  assert.deepEqual(decodeAll(new FrameDecoder(), [stream]), bodies);
});

test('frames come out the same from random pieces, 200 seeds', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const next = random(seed);
    const cut = pieces(stream, () => 1 + Math.floor(next() * 1024));
    assert.deepEqual(decodeAll(new FrameDecoder(), cut), bodies, `seed ${seed}`);
  }
});

test('100,000 frames in one chunk come out, and the counters are right', () => {
  const one = framed(bytes('0123456789abcdef'));
  const many = Buffer.concat(Array.from({ length: 100_000 }, () => one));
  const decoder = new FrameDecoder();
  let count = 0;
  for (const body of decoder.push(many)) count += body.length === 16 ? 1 : 0;
  assert.equal(count, 100_000);
  assert.equal(decoder.frames, 100_000);
  assert.equal(decoder.bytes, many.length);
});

test('the counters are right byte by byte', () => {
  const decoder = new FrameDecoder();
  decodeAll(
    decoder,
    pieces(stream, () => 1),
  );
  assert.equal(decoder.frames, bodies.length);
  assert.equal(decoder.bytes, stream.length);
});

test('work grows with the input, not with its square: 32 MiB in 64 KiB pieces copies each byte once', () => {
  const body = new Uint8Array(32 * 2 ** 20).fill(120);
  const decoder = new FrameDecoder();
  const found: Uint8Array[] = [];
  for (const chunk of pieces(framed(body), () => 65_536)) found.push(...decoder.push(chunk));
  assert.equal(found.length, 1);
  assert.equal(found[0]?.byteLength, body.length);
  // One allocation of exactly the body's size: nothing was joined on the way.
  assert.equal(found[0]?.buffer.byteLength, body.length);
});

test('exactly the limit is accepted, one byte more is refused from the header alone', () => {
  const header = (length: number) => {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(length);
    return head;
  };
  assert.equal(new FrameDecoder().next(header(MAX_FRAME_BYTES)).body, undefined);
  const error = thrown(() => new FrameDecoder().next(header(MAX_FRAME_BYTES + 1)));
  assert.equal(error.code, 'protocol-error');
  assert.equal(error.message, 'code-mode IPC frame length 67108865 exceeds 67108864 bytes');
});

test('a body that does not fit is refused before it is sent', () => {
  const error = thrown(() => encodeFrame(new Uint8Array(MAX_FRAME_BYTES + 1)));
  assert.equal(error.code, 'frame-too-large');
});

test('text where a length should be is shown, with its place', () => {
  const decoder = new FrameDecoder(65_536);
  assert.deepEqual(decodeAll(decoder, [framed(bytes('{}'))]), ['{}']);
  const error = thrown(() => decoder.next(bytes('my-host v1 "ready"\n')));
  assert.deepEqual(error.data, {
    frame: 2,
    offset: 6,
    length: 0x682d796d,
    limit: 65_536,
    text: 'my-host v1 \\"ready\\"\\n',
  });
});

test('a banner of line feeds, a byte-order mark with text, and an escape sequence count as text', () => {
  for (const banner of ['\n\n\n\n', '\x1b[32m']) {
    assert.ok('text' in thrown(() => new FrameDecoder(65_536).next(bytes(banner))).data, JSON.stringify(banner));
  }
});

test('a stream that ends inside a frame says how far it came', () => {
  const decoder = new FrameDecoder();
  decodeAll(decoder, [framed(bytes('{}')), framed(bytes('abcdef')).subarray(0, 7)]);
  const error = thrown(() => decoder.end());
  assert.equal(error.message, 'early eof');
  assert.equal(error.data.detail, 'stream ended inside a frame body, 3 of 6 bytes');
  assert.equal(error.data.frame, 2);
});

test('a stream that ends between frames is whole', () => {
  const decoder = new FrameDecoder();
  decodeAll(decoder, [stream]);
  decoder.end();
});

test('the limit can be raised between two frames of one chunk', () => {
  const decoder = new FrameDecoder(10);
  const first = decoder.next(framed(bytes('{}'), new Uint8Array(100)));
  assert.ok(first.body);
  decoder.limit = 1000;
  assert.equal(decoder.next(first.rest).body?.byteLength, 100);
});
