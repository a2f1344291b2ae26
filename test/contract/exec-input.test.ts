import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseExecInput } from '../../src/contract/index.js';
import { CodemodeError } from '../../src/errors.js';
import { refusals } from './refusals.js';

test('only a first line that begins with // @exec: sets something, and it is taken off', () => {
  const table: readonly (readonly [string, object])[] = [
    ['text(1)', { source: 'text(1)' }],
    [
      '// @exec: {"yield_time_ms": 5, "max_output_tokens": 0}\na\nb',
      { source: 'a\nb', yieldTimeMs: 5, maxOutputTokens: 0 },
    ],
    [' \t// @exec:{"yield_time_ms":1000}\r\n\ntext(1)', { source: '\ntext(1)', yieldTimeMs: 1000 }],
    ['// @exec: {"yield_time_ms": null}\ntext(1)', { source: 'text(1)' }],
    ['// @exec: {}\ntext(1)', { source: 'text(1)' }],
    ['\n// @exec: nonsense', { source: '\n// @exec: nonsense' }],
    ['//@exec: {}\ntext(1)', { source: '//@exec: {}\ntext(1)' }],
    ['text(1) // @exec: {}', { source: 'text(1) // @exec: {}' }],
  ];
  for (const [input, expected] of table) assert.deepEqual(parseExecInput(input), expected, input);
});

test('what cannot be used is refused in words for the model', () => {
  for (const [input, expected] of refusals) {
    assert.throws(
      () => parseExecInput(input),
      (error) => {
        assert.ok(error instanceof CodemodeError && error.code === 'invalid-argument');
        if (typeof expected === 'string') assert.equal(error.message, expected);
        else assert.match(error.message, expected);
        return true;
      },
    );
  }
});
