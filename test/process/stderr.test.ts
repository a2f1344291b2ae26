import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineSplitter } from '../../src/process/line-splitter.js';
import { StderrTail } from '../../src/process/stderr-tail.js';
import { readAll, startNode, startShell } from './hosts.js';

const kib8 = 8 * 1024;

function linesOf(...chunks: (string | Uint8Array)[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.add(Buffer.from(chunk as string));
  splitter.end();
  return lines;
}

test('lines end at LF, lose a CR before it, and keep a lone CR', () => {
  assert.deepEqual(linesOf('a\nb\r\n\n\r\nc\rd\ne'), ['a', 'b', '', '', 'c\rd', 'e']);
  assert.deepEqual(linesOf(''), []);
});

test('a line does not depend on how its bytes were cut', () => {
  const bytes = Buffer.from('ein Ä, ein 🦀\r\nzweite\n');
  const whole = ['ein Ä, ein 🦀', 'zweite'];
  assert.deepEqual(linesOf(...[...bytes].map((byte) => Uint8Array.of(byte))), whole);
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    assert.deepEqual(linesOf(bytes.subarray(0, cut), bytes.subarray(cut)), whole);
  }
});

test('a line beyond 8 KiB loses its rest, with a mark, and the next line is whole', () => {
  const [first, second, third] = linesOf('x'.repeat(kib8), 'y'.repeat(10), `y\n${'z'.repeat(kib8)}\nnext`);
  assert.equal(first, `${'x'.repeat(kib8)} [11 more bytes of this line dropped]`);
  assert.equal(second, 'z'.repeat(kib8));
  assert.equal(third, 'next');
});

test('the cap of a line does not leave half a character', () => {
  for (const pad of [0, 1, 2, 3]) {
    const [line = ''] = linesOf('a'.repeat(pad) + '🦀'.repeat(3_000));
    assert.match(line, /^a*🦀+ \[\d+ more bytes of this line dropped\]$/u);
  }
});

test('what is not UTF-8 is decoded as well as it can be', () => {
  assert.deepEqual(linesOf(Uint8Array.of(0x61, 0xff, 0xfe, 0x62, 0x0a)), ['a\ufffd\ufffdb']);
});

test('the tail keeps the last 8 KiB, in whatever pieces they came', () => {
  const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, i) => `${i}\n`).join(''));
  for (const size of [1, 7, 1_000, kib8 - 1, kib8, kib8 + 1, bytes.length]) {
    const tail = new StderrTail();
    for (let at = 0; at < bytes.length; at += size) tail.add(bytes.subarray(at, at + size));
    assert.equal(tail.text(), bytes.subarray(-kib8).toString());
    assert.equal(tail.bytes, bytes.length);
  }
});

test('the tail does not begin with the rest of a character', () => {
  for (const pad of [0, 1, 2, 3]) {
    const tail = new StderrTail();
    tail.add(Buffer.from('🦀'.repeat(3_000) + 'a'.repeat(pad)));
    assert.match(tail.text(), /^🦀+a*$/u);
  }
  const short = new StderrTail();
  short.add(Uint8Array.of(0x80, 0x61));
  assert.equal(short.text(), '\ufffda');
});

test('what a host wrote to stderr is known when its exit is', async (context) => {
  const lines: string[] = [];
  const host = await startShell(context, 'echo one >&2; echo two >&2; printf three >&2; exit 1', {
    onStderrLine: (line) => lines.push(line),
  });
  await host.exited;
  assert.equal(host.stderr.text(), 'one\ntwo\nthree');
  await host.dispose();
  assert.deepEqual(lines, ['one', 'two', 'three']);
});

test('20 MB of stderr, and then 20 MB in one line, stall nobody and leave 8 KiB', async (context) => {
  for (const piece of ['x'.repeat(99), 'x'.repeat(100)]) {
    const end = piece.length === 99 ? '\\n' : '';
    let lines = 0;
    let longest = 0;
    const onStderrLine = (line: string): void => {
      lines += 1;
      longest = Math.max(longest, line.length);
    };
    const host = await startNode(
      context,
      `const { writeSync } = require('node:fs');
       const block = ("${piece}${end}").repeat(10_000);
       const write = (text) => { for (let bytes = Buffer.from(text); bytes.length > 0; ) {
         try { bytes = bytes.subarray(writeSync(2, bytes)); } catch (error) { if (error.code !== 'EAGAIN') throw error; } } };
       for (let i = 0; i < 20; i++) write(block);
       console.log('done');`,
      { onStderrLine },
    );
    assert.equal(await readAll(host.stdout), 'done\n');
    await host.exited;
    assert.equal(host.stderr.bytes, 20_000_000);
    assert.equal(host.stderr.text().length, kib8);
    await host.dispose();
    assert.equal(lines, end === '' ? 1 : 200_000);
    assert.ok(longest < kib8 + 100);
  }
});

test('after a line that is not UTF-8, and a listener that throws, stderr is still read', async (context) => {
  let lines = 0;
  const host = await startShell(context, "printf '\\377\\376\\n' >&2; sleep 0.01; echo next >&2 && echo wrote", {
    onStderrLine: () => {
      lines += 1;
      throw new Error('log sink is broken');
    },
  });
  assert.equal(await readAll(host.stdout), 'wrote\n');
  await host.exited;
  assert.equal(host.stderr.text(), '\ufffd\ufffd\nnext\n');
  assert.equal(lines, 2);
});
