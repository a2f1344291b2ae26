import type { Resolve } from './expectation.js';
import { tokensOf } from './finding.js';
import type { SchemaNode } from './schema-copy.js';
import { shownValue } from './shown-value.js';

/** An input and the schema that it was checked against: what stands where. */
export class Subject {
  readonly resolve: Resolve;
  readonly #root: SchemaNode | boolean;
  readonly #input: unknown;

  constructor(root: SchemaNode | boolean, resolve: Resolve, input: unknown) {
    this.resolve = resolve;
    this.#root = root;
    this.#input = input;
  }

  /** The schema that a keyword belongs to; undefined when the way to it is not clear. */
  holderOf(keywordLocation: string): unknown {
    const steps = tokensOf(keywordLocation).slice(0, -1);
    if (keywordLocation.endsWith('Properties/false')) steps.pop();
    let at: unknown = this.#root;
    for (const step of steps) {
      if (typeof at !== 'object' || at === null) return undefined;
      if (step === '$ref') at = this.resolve(at as SchemaNode);
      else if (step === '$recursiveRef') at = this.#root;
      else at = (at as SchemaNode)[step];
    }
    return at;
  }

  valueAt(place: readonly string[]): unknown {
    let at: unknown = this.#input;
    for (const step of place) {
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
      at = (at as SchemaNode)[step];
    }
    return at;
  }

  /** The way to a value as JavaScript writes it: `filters[2].size`. */
  path(place: readonly string[]): string {
    let path = '';
    for (const [index, step] of place.entries()) {
      const inArray = Array.isArray(this.valueAt(place.slice(0, index)));
      if (inArray) path += `[${step}]`;
      else if (!/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(step)) path += `[${shownValue(step)}]`;
      else path += path === '' ? step : `.${step}`;
    }
    return path.length > 200 ? `…${path.slice(-200)}` : path;
  }
}
