/**
 * How the prelude reaches the runner: one function of the outer realm that takes and gives primitives only. It is
 * called, never handed on: no cell may get hold of it. It does not throw; what went wrong comes back as a text, which
 * the helpers throw as it is (errors of the names that a cell sees are strings).
 */
export type Send = (kind: number, first?: string, second?: string) => string | undefined;

export const op = {
  text: 1,
  image: 2,
  audio: 3,
  call: 4,
  notify: 5,
  yield: 6,
  exit: 7,
  store: 8,
  check: 9,
  timer: 10,
  clearTimer: 11,
  completed: 12,
  failed: 13,
} as const;

// Taken before the cell runs, so that a cell which replaces them harms only its own code.
export const parse = JSON.parse;
export const stringify = JSON.stringify;
export const apply = Reflect.apply;
export const defineProperty = Object.defineProperty;
export const isArray = Array.isArray;
export const toNumber = Number;
export const isFiniteNumber = Number.isFinite;
export const trunc = Math.trunc;
const lowerCase = String.prototype.toLowerCase;
const startsWith = String.prototype.startsWith;
const trim = String.prototype.trim;

export function lower(text: string): string {
  return apply(lowerCase, text, []);
}

export function begins(text: string, prefix: string): boolean {
  return apply(startsWith, lower(text), [prefix]);
}

export function isBlank(text: string): boolean {
  return apply(trim, text, []) === '';
}

/** The text of a thrown value: an object's string `stack`, else its string conversion, else nothing. */
export function describe(thrown: unknown): string {
  try {
    if (typeof thrown === 'object' && thrown !== null) {
      const stack: unknown = (thrown as { stack?: unknown }).stack;
      if (typeof stack === 'string') return stack;
    }
    return `${thrown as string}`;
  } catch {
    return '';
  }
}

/** What `text` and `notify` show of a value. */
export function display(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'undefined':
      return `${value}`;
    default:
      return value === null ? 'null' : (toJson(value) ?? 'undefined');
  }
}

function toJson(value: unknown): string | undefined {
  try {
    return stringify(value);
  } catch (thrown) {
    throw describe(thrown);
  }
}

/** JSON text for the other side, without the checks that the runner makes. */
export function bridgeJson(value: unknown): string {
  const json = toJson(value);
  if (json === undefined) throw 'failed to serialize JavaScript value: expected value at line 1 column 1';
  return json;
}

/** Throws what the runner found wrong. */
export function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw fault;
}

/** A global of the cell: own, writable, enumerable, configurable, as the reference has them. */
export function define(target: object, name: string, value: unknown): void {
  defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}
