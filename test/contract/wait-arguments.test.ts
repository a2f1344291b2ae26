import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseWaitArguments } from '../../src/contract/wait-arguments.js';

test('arguments come as an object or as JSON text, with a number for an ID and null for what is left out', () => {
  const table: readonly (readonly [unknown, object])[] = [
    [{ cell_id: '4' }, { cellId: '4', terminate: false }],
    ['{"cell_id":"g2:1","terminate":true}', { cellId: 'g2:1', terminate: true }],
    [
      { cell_id: 4, yield_time_ms: 0, max_tokens: 5 },
      { cellId: '4', yieldTimeMs: 0, maxOutputTokens: 5, terminate: false },
    ],
    [
      { cell_id: '4', yield_time_ms: null, max_tokens: null, terminate: null },
      { cellId: '4', terminate: false },
    ],
  ];
  for (const [given, expected] of table) assert.deepEqual(parseWaitArguments(given), expected);
});

test('arguments that cannot be used are refused, and the field is named', () => {
  const known = '`cell_id`, `yield_time_ms`, `max_tokens`, `terminate`';
  const table: readonly (readonly [unknown, string | RegExp])[] = [
    ['', /^failed to parse function arguments: .+$/],
    ['{"cell_id"', /^failed to parse function arguments: .+$/],
    ['[]', 'failed to parse function arguments: expected a JSON object, got array'],
    [undefined, 'failed to parse function arguments: expected a JSON object, got nothing'],
    [{}, 'failed to parse function arguments: missing field `cell_id`'],
    [{ cell_id: null }, 'failed to parse function arguments: `cell_id` must be a string, got null'],
    [{ cell_id: 1.5 }, 'failed to parse function arguments: `cell_id` must be a string, got 1.5'],
    [
      { cell_id: '1', timeout: 5 },
      `failed to parse function arguments: unknown field \`timeout\`, expected one of ${known}`,
    ],
    [
      { cell_id: '1', yield_time_ms: -1 },
      'failed to parse function arguments: `yield_time_ms` must be a non-negative safe integer, got -1',
    ],
    [
      { cell_id: '1', max_tokens: '5' },
      'failed to parse function arguments: `max_tokens` must be a non-negative safe integer, got string',
    ],
    [
      { cell_id: '1', terminate: 'yes' },
      'failed to parse function arguments: `terminate` must be a boolean, got string',
    ],
  ];
  for (const [given, expected] of table) {
    assert.throws(() => parseWaitArguments(given), { code: 'invalid-argument', message: expected });
  }
});
