const both = '`yield_time_ms` and `max_output_tokens`';

/** Texts for `exec` that are refused, and what the model is told. */
export const refusals: readonly (readonly [string, string | RegExp])[] = [
  [
    '',
    /^exec expects raw JavaScript source text \(non-empty\)\. Provide JS only, optionally with first-line `\/\/ @exec: {"yield_time_ms": 10000, "max_output_tokens": 1000}`\.$/,
  ],
  [' \n\t', /^exec expects raw JavaScript source text/],
  ['// @exec: {}', 'exec pragma must be followed by JavaScript source on subsequent lines'],
  ['// @exec:\n  \n', 'exec pragma must be followed by JavaScript source on subsequent lines'],
  ['// @exec:\nx', `exec pragma must be a JSON object with supported fields ${both}`],
  ['// @exec: [1]\nx', `exec pragma must be a JSON object with supported fields ${both}`],
  ['// @exec: null\nx', `exec pragma must be a JSON object with supported fields ${both}`],
  [
    '// @exec: {a}\nx',
    /^exec pragma must be valid JSON with supported fields `yield_time_ms` and `max_output_tokens`: .+$/,
  ],
  ['// @exec: {"timeout": 1}\nx', `exec pragma only supports ${both}; got \`timeout\``],
  [
    '// @exec: {"yield_time_ms": -1}\nx',
    `exec pragma fields ${both} must be non-negative safe integers: invalid number`,
  ],
  [
    '// @exec: {"yield_time_ms": 1.5}\nx',
    `exec pragma fields ${both} must be non-negative safe integers: invalid number`,
  ],
  [
    '// @exec: {"yield_time_ms": "1"}\nx',
    `exec pragma fields ${both} must be non-negative safe integers: invalid type: string`,
  ],
  [
    '// @exec: {"max_output_tokens": 9007199254740992}\nx',
    'exec pragma field `max_output_tokens` must be a non-negative safe integer',
  ],
];
