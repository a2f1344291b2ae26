import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodemodeError } from '../../src/errors.js';
import { hostJsonCodec, jsonCodec } from '../../src/protocol/codec.js';
import { msgpackCodec } from '../../src/protocol/msgpack-codec.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (body: Uint8Array) => new TextDecoder().decode(body);
const decodeJson = (source: string | Uint8Array) =>
  jsonCodec.decode(typeof source === 'string' ? bytes(source) : source);
const refused = { name: 'CodemodeError', code: 'protocol-error' };

test('JSON: white space and any key order are accepted', () => {
  assert.deepEqual(decodeJson('\n {"id":4,"type":"x"} \n'), { id: 4, type: 'x' });
});

for (const [what, source] of [
  ['nothing', ''],
  ['half a value', '{"a":'],
  ['a trailing byte', '{} x'],
  ['a byte-order mark', '\ufeff{}'],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['a lone high surrogate escape', '{"s":"\\ud800"}'],
  ['a lone low surrogate escape', '{"s":"a\\udc00"}'],
  ['two high surrogates', '{"s":"\\ud83d\\ud83d\\ude00"}'],
  ['a key twice', '{"id":1,"id":2}'],
  ['a key twice further down', '{"request":{"a":1,"a":2}}'],
  ['a key twice, once escaped', '{"id":1,"\\u0069d":2}'],
  ['an id with a fraction', '{"id":1.0}'],
  ['an id with an exponent', '{"id":1e3}'],
  ['136 containers', '['.repeat(136) + ']'.repeat(136)],
] as const) {
  test(`JSON: ${what} is refused`, () => {
    assert.throws(() => decodeJson(source), refused);
  });
}

test('JSON: a host takes 127 containers from a client, a client the eight more that a host puts around them', () => {
  const nested = (levels: number) => bytes('['.repeat(levels) + ']'.repeat(levels));
  hostJsonCodec.decode(nested(127));
  assert.throws(() => hostJsonCodec.decode(nested(128)), refused);
  jsonCodec.decode(nested(135));
});

test('JSON: 127 containers, pairs of surrogate escapes and escaped backslashes are accepted', () => {
  decodeJson('['.repeat(127) + ']'.repeat(127));
  assert.deepEqual(decodeJson('{"s":"\\ud83d\\ude00"}'), { s: '😀' });
  assert.deepEqual(decodeJson('{"s":"\\\\ud800"}'), { s: '\\ud800' });
});

test('JSON: repeated keys inside tool values are allowed, the last wins', () => {
  const frame = '{"id":1,"result":{"status":"ok","value":{"type":"tool/result","result":{"a":1,"a":2}}}}';
  assert.deepEqual(decodeJson(frame), {
    id: 1,
    result: { status: 'ok', value: { type: 'tool/result', result: { a: 2 } } },
  });
  assert.throws(() => decodeJson('{"id":1,"result":{"status":"ok","status":"ok"}}'), refused);
});

test('JSON: ids beyond 2^53 keep every digit, both ways', () => {
  for (const id of ['9223372036854775807', '-9223372036854775808', '9007199254740993']) {
    const message = decodeJson(`{"type":"operation/cancel","id":${id}}`) as { id: bigint };
    assert.equal(message.id, BigInt(id));
    assert.equal(text(jsonCodec.encode(message)), `{"type":"operation/cancel","id":${id}}`);
  }
});

test('JSON: lone surrogates leave as U+FFFD, pairs and escaped backslashes as they are', () => {
  const message = { a: 'x\ud800y', b: '😀', c: '\\ud800', d: '\udfff', e: '\\\ud800' };
  assert.deepEqual(JSON.parse(text(jsonCodec.encode(message))), {
    a: 'x\ufffdy',
    b: '😀',
    c: '\\ud800',
    d: '\ufffd',
    e: '\\\ufffd',
  });
});

const sample = { type: 'x', id: 7, list: [1, -1, 1.5, 2 ** 40, null, true], deep: { é: '日本語' }, empty: {} };

test('msgpack: what JSON can say comes back the same', () => {
  assert.deepEqual(msgpackCodec.decode(msgpackCodec.encode(sample)), sample);
});

test('msgpack: the encoding is plain: a one-key object is one map header', () => {
  assert.deepEqual([...msgpackCodec.encode({ a: 1 })], [0x81, 0xa1, 0x61, 0x01]);
});

test('msgpack: an integer that takes 64 bits on the wire is a number as long as a number can hold it', () => {
  const wide = (value: bigint) => {
    const body = new Uint8Array(9);
    body[0] = 0xcf;
    new DataView(body.buffer).setBigUint64(1, value);
    return msgpackCodec.decode(body);
  };
  assert.equal(wide(4096n), 4096);
  assert.equal(wide(2n ** 63n), 2n ** 63n);
});

test('msgpack: memory that a large frame took is given back', () => {
  for (let n = 0; n < 3; n++) msgpackCodec.encode({ large: 'x'.repeat(2 ** 25) });
  assert.equal(msgpackCodec.encode({ a: 1 }).buffer.byteLength, 8192);
});

test('msgpack: a thousand encoded frames do not change each other', () => {
  const frames = Array.from({ length: 1000 }, (_, n) => msgpackCodec.encode({ n, text: `frame ${n}` }));
  for (const [n, frame] of frames.entries()) assert.deepEqual(msgpackCodec.decode(frame), { n, text: `frame ${n}` });
});

test('msgpack: decoded bytes stay the same when the frame is overwritten', () => {
  const frame = Buffer.from(msgpackCodec.encode({ img: new Uint8Array([1, 2, 3]) }));
  const message = msgpackCodec.decode(frame) as { img: Uint8Array };
  frame.fill(0xff);
  assert.deepEqual([...message.img], [1, 2, 3]);
});

for (const [what, body] of [
  ['nothing', []],
  ['a truncated string', [0xa5, 0x61]],
  ['trailing bytes', [0x01, 0x01]],
  ['a private record definition', [0xd4, 0x72, 0x40, 0x91, 0xa1, 0x61, 0x01]],
  ['a timestamp extension', [0xd6, 0xff, 0, 0, 0, 0]],
  ['the type byte that nobody uses', [0xc1]],
  ['136 containers', [...Array.from({ length: 136 }, () => 0x91), 0xc0]],
  ['an array that claims four billion values', [0xdd, 0xff, 0xff, 0xff, 0xff]],
] as const) {
  test(`msgpack: ${what} is refused`, () => {
    assert.throws(() => msgpackCodec.decode(Uint8Array.from(body)), refused);
  });
}

test('a decode error keeps the reference prefix and its cause', () => {
  try {
    decodeJson('{oops');
    assert.fail('nothing was thrown');
  } catch (error) {
    assert.ok(error instanceof CodemodeError);
    assert.match(error.message, /^failed to decode code-mode IPC frame: /);
    assert.ok(error.cause instanceof SyntaxError);
  }
});
