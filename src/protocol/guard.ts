import { CodemodeError } from '../errors.js';

/** Checks a value from outside and gives it its type; `path` says where it stands. Throws `protocol-error`. */
export type Guard<T> = (value: unknown, path: string) => T;

/** How an object treats fields that it does not know. */
export type Unknowns = 'refuse' | 'tolerate';

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

export function refuse(path: string, expected: string, value: unknown): never {
  const shown = typeof value === 'number' || typeof value === 'string' ? ` ${clip(JSON.stringify(value))}` : '';
  throw new CodemodeError(
    'protocol-error',
    `invalid value at \`${path}\`: expected ${expected}, got ${kindOf(value)}${shown}`,
    { data: { path, expected } },
  );
}

function clip(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

export const string: Guard<string> = (value, path) =>
  typeof value === 'string' ? value : refuse(path, 'a string', value);

/** Session ids and capability names: any string that is not only white space. */
export const identifier: Guard<string> = (value, path) =>
  string(value, path).trim() === '' ? refuse(path, 'a string that is not blank', value) : (value as string);

export const json: Guard<unknown> = (value) => value;

export function integer(min: number, max: number): Guard<number> {
  return (value, path) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? value
      : refuse(path, `an integer from ${min} to ${max}`, value);
}

/** Unsigned 64-bit on the wire; a value above 2^53-1 only ever means "very long" and arrives rounded. */
export const unsigned: Guard<number> = integer(0, 2 ** 64 - 1);

/** Signed 64-bit; the decoder hands over a bigint where a number cannot hold it. */
export const id: Guard<number | bigint> = (value, path) => {
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) return value;
  return Number.isSafeInteger(value) ? (value as number) : refuse(path, 'a 64-bit integer', value);
};

export function oneOf<const T extends string>(...words: readonly T[]): Guard<T> {
  const expected = `one of ${words.map((word) => `\`${word}\``).join(', ')}`;
  return (value, path) => (words.includes(value as T) ? (value as T) : refuse(path, expected, value));
}

export function nullable<T>(guard: Guard<T>): Guard<T | null> {
  return (value, path) => (value === null ? null : guard(value, path));
}

export function list<T>(guard: Guard<T>): Guard<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) return refuse(path, 'an array', value);
    return value.map((entry: unknown, index) => guard(entry, `${path}[${index}]`));
  };
}

/** Names of capabilities, each once. */
export const capabilityNames: Guard<readonly string[]> = (value, path) => {
  const names = list(identifier)(value, path);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? names : refuse(path, `no duplicate capability \`${twice}\``, value);
};

type Fields = { readonly [name: string]: Guard<unknown> };
type Shape<R extends Fields, O extends Fields> = { -readonly [K in keyof R]: ReturnType<R[K]> } & {
  -readonly [K in keyof O]?: ReturnType<O[K]>;
};

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with `required` and `optional` fields; the result holds these fields and no others. */
export function object<R extends Fields, O extends Fields = Record<never, never>>(
  unknowns: Unknowns,
  required: R,
  optional?: O,
): Guard<Shape<R, O>> {
  const guards: Fields = { ...required, ...optional };
  const names = Object.keys(guards);
  return (value, path) => {
    if (!isRecord(value)) return refuse(path, 'an object', value);
    const result: Record<string, unknown> = {};
    for (const name of names) {
      const guard = guards[name];
      if (guard === undefined) continue;
      if (Object.hasOwn(value, name)) result[name] = guard(value[name], path === '' ? name : `${path}.${name}`);
      else if (Object.hasOwn(required, name)) {
        throw new CodemodeError('protocol-error', `missing field \`${name}\`${path === '' ? '' : ` in \`${path}\``}`, {
          data: { path, field: name },
        });
      }
    }
    if (unknowns === 'refuse') refuseUnknown(value, guards, path);
    return result as Shape<R, O>;
  };
}

function refuseUnknown(value: Readonly<Record<string, unknown>>, guards: Fields, path: string): void {
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(guards, name)) continue;
    const known = Object.keys(guards).map((field) => `\`${field}\``);
    throw new CodemodeError(
      'protocol-error',
      `unknown field \`${clip(name)}\`${path === '' ? '' : ` in \`${path}\``}, expected one of ${known.join(', ')}`,
      { data: { path, field: name } },
    );
  }
}

/** Picks the guard by the value of one field. */
export function tagged<T>(tag: string, guards: { readonly [name: string]: Guard<T> }): Guard<T> {
  const word = oneOf(...Object.keys(guards));
  return (value, path) => {
    if (!isRecord(value)) return refuse(path === '' ? 'message' : path, 'an object', value);
    const at = path === '' ? tag : `${path}.${tag}`;
    if (!Object.hasOwn(value, tag)) throw new CodemodeError('protocol-error', `missing field \`${at}\``);
    const guard = guards[word(value[tag], at)];
    return guard === undefined ? refuse(at, 'a known word', value[tag]) : guard(value, path);
  };
}

/** An object with exactly one key, which names the variant of its value. */
export function variant<T>(unknowns: Unknowns, guards: { readonly [name: string]: Guard<unknown> }): Guard<T> {
  const names = Object.keys(guards);
  return (value, path) => {
    if (!isRecord(value)) return refuse(path, 'an object', value);
    const present = names.filter((name) => Object.hasOwn(value, name));
    const [name] = present;
    const guard = name === undefined ? undefined : guards[name];
    const extra = unknowns === 'refuse' && Object.keys(value).length !== 1;
    if (name === undefined || guard === undefined || present.length !== 1 || extra) {
      return refuse(path, `an object with one of the keys ${names.map((key) => `\`${key}\``).join(', ')}`, value);
    }
    return { [name]: guard(value[name], `${path}.${name}`) } as T;
  };
}
