import { CodemodeError } from '../../errors.js';
import { type Guard, isRecord, nullable, object } from '../../protocol/guard.js';
import { clip } from './clip.js';

export { type Guard, isRecord } from '../../protocol/guard.js';

// Guards as in src/protocol, with the reference server's wording, which reaches people as the text of error -32602.

/** A number whose text is not a plain integer (`1.0`, `1e3`) although its value is one; see `parse-json.ts`. */
export class InexactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const MAX_U64 = 2n ** 64n - 1n;

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'sequence';
  if (typeof value === 'string') return `string ${clip(JSON.stringify(value), SHOWN)}`;
  if (typeof value === 'boolean') return `boolean \`${value}\``;
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof InexactNumber) return 'number';
  return 'map';
}

/** Letters of a value that messages repeat. */
const SHOWN = 80;

function refuse(path: string, message: string): never {
  throw new CodemodeError('protocol-error', message, { data: { path } });
}

const wrongType = (path: string, value: unknown, expected: string): never =>
  refuse(path, `invalid type: ${kindOf(value)}, expected ${expected}`);

export const text: Guard<string> = (value, path) =>
  typeof value === 'string' ? value : wrongType(path, value, 'a string');

export const flag: Guard<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : wrongType(path, value, 'a boolean');

/** Any value, as it came. */
export const anything: Guard<unknown> = (value) => value;

/** Unsigned 64-bit; above 2^53 it arrives rounded, since such a number only ever means "very many". */
export const u64: Guard<number> = (value, path) => {
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof InexactNumber) {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)) return value;
    if (typeof value === 'bigint' && value >= 0n && value <= MAX_U64) return Number(value);
    return refuse(path, 'invalid number');
  }
  return wrongType(path, value, 'u64');
};

/** An exit code: a 32-bit integer. */
export const i32: Guard<number> = (value, path) =>
  typeof value === 'number' && (value | 0) === value ? value : wrongType(path, value, 'i32');

/** An integer from `min` to `max`, for members of our own. */
export function between(min: number, max: number): Guard<number> {
  return (value, path) => {
    const number = u64(value, path);
    return number >= min && number <= max
      ? number
      : refuse(path, `invalid value: ${number}, expected ${min} to ${max}`);
  };
}

export function word<const T extends string>(...words: readonly T[]): Guard<T> {
  const quoted = words.map((one) => `\`${one}\``);
  const expected = quoted.length > 2 ? `one of ${quoted.join(', ')}` : quoted.join(' or ');
  return (value, path) => {
    const found = text(value, path) as T;
    return words.includes(found)
      ? found
      : refuse(path, `unknown variant \`${clip(found, SHOWN)}\`, expected ${expected}`);
  };
}

export function texts(value: unknown, path: string): readonly string[] {
  if (!Array.isArray(value)) return wrongType(path, value, 'a sequence');
  return value.map((entry: unknown, index) => text(entry, `${path}[${index}]`));
}

export function listOf<T>(guard: Guard<T>): Guard<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) return wrongType(path, value, 'a sequence');
    return value.map((entry: unknown, index) => guard(entry, `${path}[${index}]`));
  };
}

/** String to string, without a prototype: a variable may be called `__proto__`. */
export const textMap: Guard<Readonly<Record<string, string>>> = (value, path) => {
  if (!isRecord(value) || value instanceof InexactNumber) return wrongType(path, value, 'a map');
  const result: Record<string, string> = Object.create(null);
  for (const [name, entry] of Object.entries(value)) result[name] = text(entry, `${path}.${name}`);
  return result;
};

/** Members that may be absent, or null, which means the same. */
export const absentOrNull = nullable;

/** An object with `required` and `optional` members; what it does not know is ignored. `name` is how errors call it. */
export function struct<R extends Fields, O extends Fields = Record<never, never>>(
  name: string,
  required: R,
  optional?: O,
): Guard<ReturnType<ReturnType<typeof object<R, O>>>> {
  const guard = object<R, O>('tolerate', required, optional);
  return (value, path) => {
    if (!isRecord(value) || value instanceof InexactNumber) return wrongType(path, value, `struct ${name}`);
    try {
      return guard(value, path);
    } catch (error) {
      throw inPlainWords(error);
    }
  };
}

type Fields = { readonly [name: string]: Guard<unknown> };

/** The shared guard says where a member is missing; the reference does not, and neither do tests of its texts. */
function inPlainWords(error: unknown): unknown {
  if (!(error instanceof CodemodeError)) return error;
  const missing = /^missing field `[^`]*`/.exec(error.message);
  return missing === null ? error : new CodemodeError(error.code, missing[0], { data: error.data });
}
