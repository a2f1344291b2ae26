import { toolProperty } from '../protocol/tool-name.js';

/**
 * Properties that JavaScript itself reads from an object behind the author's back: as tools they would be called, or set
 * a prototype, where nobody wrote a call. `await tools` and `return tools` call `then`, `text(tools)` calls `toJSON`, and
 * `Object.assign({}, tools)` sets `__proto__`. They get a `_` at the end. Everything else that objects inherit
 * (`constructor`, `toString`, …) is an own property like any other, and so are reserved words.
 */
const unsafe: ReadonlySet<string> = new Set(['then', 'toJSON', '__proto__']);

const FIRST_SUFFIX = 4;
const LONGEST_SUFFIX = 32;

/** What a name becomes when no other tool gets in its way. */
export function plainProperty(name: string): string {
  const property = toolProperty(name);
  return unsafe.has(property) ? `${property}_` : property;
}

/**
 * The raw names, each with the property of `tools` by which a cell calls it: a valid identifier that no other name has,
 * whatever the order of the list. A name that is its own property keeps it. Of several names that normalise to one
 * property, the others get a suffix made from the raw name.
 */
export function callableNames(names: readonly string[]): ReadonlyMap<string, string> {
  const result = new Map<string, string>();
  const rivals = new Map<string, string[]>();
  for (const name of new Set(names)) {
    const property = plainProperty(name);
    const group = rivals.get(property);
    if (group === undefined) rivals.set(property, [name]);
    else group.push(name);
  }
  const pending: string[] = [];
  for (const [property, group] of rivals) {
    const owner = group.length === 1 ? group[0] : group.find((name) => name === property);
    if (owner !== undefined) result.set(owner, property);
    pending.push(...group.filter((name) => name !== owner));
  }
  suffix(pending, new Set([...names, ...rivals.keys()]), result);
  return result;
}

/** All names of a round are judged alike, so that their order decides nothing. */
function suffix(names: readonly string[], taken: Set<string>, result: Map<string, string>): void {
  let pending = names;
  for (let length = FIRST_SUFFIX; pending.length > 0 && length <= LONGEST_SUFFIX; length += 1) {
    const proposed = pending.map((name) => `${plainProperty(name)}_${fingerprint(name).slice(0, length)}`);
    const wanted = new Map<string, number>();
    for (const property of proposed) wanted.set(property, (wanted.get(property) ?? 0) + 1);
    const left: string[] = [];
    for (const [index, name] of pending.entries()) {
      const property = proposed[index] ?? '';
      if (taken.has(property) || wanted.get(property) !== 1) left.push(name);
      else result.set(name, property);
    }
    for (const property of proposed) taken.add(property);
    pending = left;
  }
  // Only names that were made to collide come this far.
  let count = 0;
  for (const name of [...pending].sort()) {
    let property: string;
    do property = `${plainProperty(name)}_${++count}`;
    while (taken.has(property));
    taken.add(property);
    result.set(name, property);
  }
}

/** 32 hexadecimal digits: FNV-1a four times, each with another beginning. It only has to tell names apart. */
function fingerprint(name: string): string {
  return [1, 2, 3, 4].map((round) => fnv1a(`${round}${name}`).toString(16).padStart(8, '0')).join('');
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >> 8), 0x01000193);
  }
  return hash >>> 0;
}
