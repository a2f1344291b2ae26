import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedOutput } from '../../src/host/bounded-output.js';
import { type Output, WholeOutput } from '../../src/host/output.js';
import { MAX_FRAME_BYTES } from '../../src/protocol/limits.js';
import type { ContentItem } from '../../src/protocol/message.js';

const text = (value: string): ContentItem => ({ type: 'input_text', text: value });
const image = (bytes = 4): ContentItem => ({
  type: 'input_image',
  image_url: `data:,${'A'.repeat(bytes)}`,
  detail: 'high',
});
const audio = (url = 'data:audio/wav;base64,AAAA'): ContentItem => ({ type: 'input_audio', audio_url: url });

function observe(items: readonly ContentItem[], maxTokens: number | null, errorText: string | null = null) {
  const output = new BoundedOutput();
  for (const item of items) output.add(item);
  return output
    .take({ maxTokens, errorText })
    .items.map((item) => (item.type === 'input_text' ? item.text : item.type));
}

const header = (tokens: number, lines: number) =>
  `Warning: truncated output (original token count: ${tokens})\nTotal output lines: ${lines}\n\n`;

test('an exact fit is untouched, one byte more is cut in the middle', () => {
  assert.deepEqual(observe([text('x'.repeat(80))], 20), ['x'.repeat(80)]);
  const half = 'x'.repeat(40);
  assert.deepEqual(observe([text('x'.repeat(81))], 20), [`${header(21, 1)}${half}…1 tokens truncated…${half}`]);
});

test('items count with a line feed between them', () => {
  assert.equal(observe([text('x'.repeat(20)), text('x'.repeat(19))], 10).length, 2);
  assert.match(
    observe([text('x'.repeat(20)), text('x'.repeat(20))], 10)[0] ?? '',
    /^Warning: .*count: 11\)\nTotal output lines: 2/,
  );
});

test('a budget of nothing leaves the marker alone', () => {
  assert.deepEqual(observe([text('abcdefgh'.repeat(10))], 0), [`${header(20, 1)}…20 tokens truncated…`]);
});

test('characters stay whole', () => {
  const four = '😀'.repeat(4);
  assert.deepEqual(observe([text('😀'.repeat(100))], 9), [`${header(100, 1)}${four}…91 tokens truncated…${four}`]);
});

test('the default budget is 10,000 tokens', () => {
  assert.deepEqual(observe([text('x'.repeat(40_000))], null), ['x'.repeat(40_000)]);
  assert.match(observe([text('x'.repeat(40_001))], null)[0] ?? '', /…1 tokens truncated…/);
});

test('a script error is appended, and takes part', () => {
  assert.deepEqual(observe([text('ok')], 100, 'Error: boom'), ['ok', 'Script error:\nError: boom']);
});

test('beside an image, texts are taken one by one: kept, cut, counted', () => {
  const items = [text('x'.repeat(60)), image(), text('y'.repeat(400)), text('z'), text('')];
  const cut = `${'y'.repeat(10)}…95 tokens truncated…${'y'.repeat(10)}`;
  assert.deepEqual(observe(items, 20), ['x'.repeat(60), 'input_image', cut, '[omitted 1 text items ...]']);
});

test('audio costs tokens and is omitted when it does not fit', () => {
  assert.deepEqual(observe([audio(), text('x'.repeat(52))], 20), ['input_audio', 'x'.repeat(52)]);
  assert.deepEqual(observe([audio(`data:,${'A'.repeat(400)}`), text('x')], 20), ['x', '[omitted 1 audio items ...]']);
});

const marker = (bytes: number, texts: number, images = 0, audios = 0) =>
  `[Code Mode session output limit reached: omitted ${bytes} text bytes; discarded ${texts} text segments, ${images} images, ${audios} audio items]`;

test('one mebibyte of text is kept whole, as the items it came in', () => {
  const items = Array.from({ length: 16 }, (_, n) => text(String(n % 10).repeat(65_536)));
  assert.deepEqual(
    observe(items, 1e9),
    items.map((item) => (item.type === 'input_text' ? item.text : '')),
  );
});

test('beyond that the first and the last half mebibyte are kept around a marker', () => {
  const kept = observe(['0', '1', '2'].map((digit) => text(digit.repeat(2 ** 20))).concat(text('end')), 1e7);
  assert.deepEqual(
    kept.map((item) => item.length),
    [524_288, marker(2097155, 2).length, 524_285, 3],
  );
  assert.equal(kept[1], marker(2097155, 2));
});

test('the token budget is spent around the marker', () => {
  const [head, middle, tail] = observe([text(`0${'x'.repeat(2 ** 20 - 1)}`), text('y'.repeat(2 ** 20))], 100);
  assert.equal(head, `${header(262_145, 2)}0${'x'.repeat(199)}…262045 tokens truncated…`);
  assert.equal(middle, marker(1_048_576, 1));
  assert.equal(tail, 'y'.repeat(200));
});

test('32,768 items are kept, the marker among them', () => {
  const kept = observe(
    Array.from({ length: 40_000 }, (_, n) => text(`line ${n}`)),
    1e6,
  );
  assert.equal(kept.length, 32_768);
  assert.equal(kept[16_384], marker(72_330, 7_233));
});

test('images beyond eight mebibytes are discarded and counted, what follows is kept', () => {
  const kept = observe([...Array.from({ length: 9 }, () => image(2 ** 20)), text('end')], 100);
  assert.deepEqual(kept, [...Array.from({ length: 7 }, () => 'input_image'), marker(0, 0, 2), 'end']);
});

test('each observation starts afresh', () => {
  const output = new BoundedOutput();
  output.add(text('x'.repeat(3 * 2 ** 20)));
  output.take({ maxTokens: 10, errorText: null });
  output.add(text('y'));
  assert.deepEqual(output.take({ maxTokens: 10, errorText: null }).items, [text('y')]);
});

test('a long error text keeps its head and tail', () => {
  const shown = new BoundedOutput().shortenError(`Error: ${'e'.repeat(2 ** 21)}\n    at x`);
  assert.equal(Buffer.byteLength(shown), 65_536);
  assert.match(shown, /^Error: e+…e+\n {4}at x$/);
});

test('without truncation nothing is cut: more than a frame holds comes in several pieces', () => {
  const output: Output = new WholeOutput();
  for (let n = 0; n < 150; n++) output.add(text(`${n} ${'"'.repeat(2 ** 19)}`));
  const numbers: string[] = [];
  const sizes: number[] = [];
  for (let more = true; more; ) {
    more = output.beyondOneFrame;
    const { items, droppedBytes } = output.take({ maxTokens: 1, errorText: null });
    assert.equal(droppedBytes, 0);
    sizes.push(JSON.stringify(items).length);
    for (const item of items) if (item.type === 'input_text') numbers.push(item.text.split(' ')[0] ?? '');
  }
  assert.deepEqual(
    numbers,
    Array.from({ length: 150 }, (_, n) => String(n)),
  );
  assert.ok(sizes.length === 3 && Math.max(...sizes) < MAX_FRAME_BYTES, sizes.join());
});

test('an item that no frame can hold is not kept, only its size; what stands around it is', () => {
  const output: Output = new WholeOutput();
  output.add(text('before'));
  output.add(text('x'.repeat(MAX_FRAME_BYTES)));
  output.add(text('after'));
  const first = output.take({ maxTokens: null, errorText: null });
  assert.deepEqual([first.items, first.droppedBytes], [[text('before')], 0]);
  assert.ok(output.take({ maxTokens: null, errorText: null }).droppedBytes > MAX_FRAME_BYTES);
  assert.deepEqual(output.take({ maxTokens: null, errorText: null }).items, [text('after')]);
});

test('a full output is full until it was taken', () => {
  const output: Output = new WholeOutput();
  for (let n = 0; n < 48; n++) output.add(text('x'.repeat(2 ** 20)));
  assert.equal(output.full, true);
  output.take({ maxTokens: null, errorText: null });
  assert.equal(output.full, false);
});
