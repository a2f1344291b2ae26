import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displayPath } from '../../src/process/display-path.js';

const name = 'missing-code-mode-host-program-name';
const crab = '🦀';

// The path, its length in bytes, the bytes shown, and how the shown text begins (unchanged where that is undefined).
const rows: [title: string, path: string | Uint8Array, length: number, shown: number, begins?: string][] = [
  ['512 letters', `/${'a'.repeat(511)}`, 512, 512],
  ['513 letters', `/${'a'.repeat(512)}`, 513, 512, '...aaaa'],
  ['514 letters', `/${'a'.repeat(513)}`, 514, 512, '...aaaa'],
  ['many folders', 'missing-directory/'.repeat(64) + name, 1187, 512, '...ctory/missing-'],
  ['256 crabs and a name', crab.repeat(256) + name, 1059, 510, `...${crab}${crab}`],
  ['128 crabs', crab.repeat(128), 512, 512],
  ['128 crabs and a letter', `${crab.repeat(128)}a`, 513, 512, `...${crab}`],
  ['a letter and 128 crabs', `a${crab.repeat(128)}`, 513, 511, `...${crab}`],
  ['129 crabs', crab.repeat(129), 516, 511, `...${crab}`],
  ['256 é', 'é'.repeat(256), 512, 512],
  ['256 é and a letter', `${'é'.repeat(256)}x`, 513, 512, '...é'],
  ['a letter and 256 é', `x${'é'.repeat(256)}`, 513, 511, '...é'],
  ['257 é', 'é'.repeat(257), 514, 511, '...é'],
  ['171 日', '日'.repeat(171), 513, 510, '...日'],
  ['171 日 and a letter', `${'日'.repeat(171)}a`, 514, 511, '...日'],
  ['171 日 and two letters', `${'日'.repeat(171)}ab`, 515, 512, '...日'],
  ['a crab behind one letter', `b${crab}${'a'.repeat(508)}`, 513, 511, '...aaaa'],
  ['a crab behind two letters', `bb${crab}${'a'.repeat(507)}`, 513, 510, '...aaaa'],
  ['a crab behind three letters', `bbb${crab}${'a'.repeat(506)}`, 513, 509, '...aaaa'],
  ['a crab behind four letters', `bbbb${crab}${'a'.repeat(505)}`, 513, 512, `...${crab}aaa`],
  ['combining accents', 'e\u0301'.repeat(171), 513, 512, '...\u0301e'],
  ['bytes that are not UTF-8', new Uint8Array(512).fill(0xff), 1536, 510, '...\ufffd\ufffd\ufffd'],
];

for (const [title, path, length, shown, begins] of rows) {
  test(`a path is shown in at most 512 bytes, cut before a character: ${title}`, () => {
    const whole = typeof path === 'string' ? path : Buffer.from(path).toString();
    const text = displayPath(path);
    assert.equal(Buffer.byteLength(whole), length);
    assert.equal(Buffer.byteLength(text), shown);
    if (begins === undefined) assert.equal(text, whole);
    else assert.ok(text.startsWith(begins) && whole.endsWith(text.slice(3)), text.slice(0, 20));
  });
}

test('all 22 worked examples of the specification are here', () => assert.equal(rows.length, 22));

test('half a surrogate pair is shown as U+FFFD', () => assert.equal(displayPath('a\ud800b'), 'a\ufffdb'));
