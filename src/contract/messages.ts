import type { Finding } from '../source/index.js';

// Every sentence that this folder says: to models, in the words that they know of `exec` and `wait`, and to harnesses.

const example = '`// @exec: {"yield_time_ms": 10000, "max_output_tokens": 1000}`';
const both = '`yield_time_ms` and `max_output_tokens`';

export const emptyInputText = `exec expects raw JavaScript source text (non-empty). Provide JS only, optionally with first-line ${example}.`;
export const nothingAfterPragmaText = 'exec pragma must be followed by JavaScript source on subsequent lines';
export const pragmaShapeText = `exec pragma must be a JSON object with supported fields ${both}`;
export const pragmaJsonText = (reason: string): string =>
  `exec pragma must be valid JSON with supported fields ${both}: ${reason}`;
export const pragmaKeyText = (key: string): string => `exec pragma only supports ${both}; got \`${key}\``;
export const pragmaNumberText = (reason: string): string =>
  `exec pragma fields ${both} must be non-negative safe integers: ${reason}`;
export const pragmaRangeText = (field: string): string =>
  `exec pragma field \`${field}\` must be a non-negative safe integer`;
export const invalidNumberText = 'invalid number';
export const invalidTypeText = (value: unknown): string => `invalid type: ${kindOf(value)}`;

export const waitArgumentsText = (reason: string): string => `failed to parse function arguments: ${reason}`;
export const notAnObjectText = (value: unknown): string => `expected a JSON object, got ${kindOf(value)}`;
export const missingFieldText = (field: string): string => `missing field \`${field}\``;
export const unknownFieldText = (field: string, known: readonly string[]): string =>
  `unknown field \`${field}\`, expected one of ${known.map((name) => `\`${name}\``).join(', ')}`;
export const fieldText = (field: string, expected: string, value: unknown): string =>
  `\`${field}\` must be ${expected}, got ${typeof value === 'number' ? value : kindOf(value)}`;

export const completedText = 'Script completed';
export const failedText = 'Script failed';
export const terminatedText = 'Script terminated';
export const runningText = (cellId: string): string => `Script running with cell ID ${cellId}`;
export const wallTimeText = (ms: number): string => `Wall time ${(ms / 1000).toFixed(1)} seconds`;
export const outputText = 'Output:';

/** What preflight has to say, one line each. */
export const noteText = ({ line, message, fixed }: Finding): string =>
  `Note on line ${line}${fixed ? ' (repaired)' : ''}: ${message}`;
export const moreNotesText = (count: number): string => `And ${count} more ${count === 1 ? 'note' : 'notes'}.`;

/** In place of what a text cannot hold. */
export const imageText = '[image]';
export const audioText = '[audio]';

export const sourceFieldText = 'The cell: JavaScript source text.';

export const hostWords = 'a Host';
export const notAToolboxText = 'toolbox must be a Toolbox, or a function that gives one';
export const notASessionText = 'the session must have the functions execute, wait and terminate';
export const notANumberText = (name: string, value: unknown): string =>
  `${name} must be a whole number of at least 0, got ${typeof value === 'number' ? value : kindOf(value)}`;
export const notAPreflightText = (value: unknown): string =>
  `preflight must be off, report or fix, got ${typeof value === 'string' ? JSON.stringify(value) : kindOf(value)}`;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'array' : typeof value;
}
