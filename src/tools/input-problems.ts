import { either, expectation, type Resolve } from './expectation.js';
import {
  doesNotFitText,
  matchesSeveralText,
  missingText,
  mustBeText,
  neededWithText,
  notAllowedHereText,
  oneTooManyText,
  unknownPropertyText,
} from './messages.js';
import { nearest } from './nearest-name.js';
import { isNode, type SchemaNode } from './schema-copy.js';
import { shownValue } from './shown-value.js';

/** What the validator says: places as JSON pointers, and which keyword did not hold. */
export interface Finding {
  readonly keyword: string;
  readonly keywordLocation: string;
  readonly instanceLocation: string;
  readonly error: string;
}

/** Findings about parts of what another finding says; each has findings of its own below it. */
const wrappers = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'additionalItems',
  'unevaluatedItems',
  'prefixItems',
  'allOf',
  'if',
  'dependentSchemas',
  '$ref',
  '$recursiveRef',
]);
/** Findings that say all there is to say about what is below them. */
const closed = new Set(['anyOf', 'oneOf', 'not', 'contains', 'propertyNames']);

/** One thing that is wrong, and where. */
interface Problem {
  readonly path: string;
  readonly text: string;
  /** What was expected there, where that can be said. */
  readonly expected?: string | undefined;
  readonly missing?: boolean;
  /** How much it speaks against this branch of several. */
  readonly weight: number;
}

const weights: Readonly<Record<string, number>> = { const: 50, enum: 10, type: 2 };
/** A value of another type than the whole branch. */
const OTHER_TYPE = 1_000;
/** Branches that are told one by one. */
const MOST_SENTENCES = 3;

/** Turns a validator's findings into sentences about an input. */
export class InputProblems {
  readonly #root: SchemaNode | boolean;
  readonly #resolve: Resolve;
  readonly #input: unknown;

  constructor(root: SchemaNode | boolean, resolve: Resolve, input: unknown) {
    this.#root = root;
    this.#resolve = resolve;
    this.#input = input;
  }

  /** One sentence for each problem, each once, in the order of the schema. */
  sentences(findings: readonly Finding[]): string[] {
    return [...new Set(this.#problems(placed(findings)).map(({ text }) => text))];
  }

  #problems(findings: readonly Finding[]): Problem[] {
    const problems = new Map<string, Problem>();
    const done: Finding[] = [];
    for (const finding of findings) {
      if (done.some((above) => isBelow(finding, above))) continue;
      if (closed.has(finding.keyword)) done.push(finding);
      if (wrappers.has(finding.keyword)) continue;
      for (const problem of this.#problemsOf(finding, findings)) {
        const key = `${problem.path}\n${problem.text}`;
        if (!problems.has(key)) problems.set(key, problem);
      }
    }
    return [...problems.values()];
  }

  #problemsOf(finding: Finding, all: readonly Finding[]): Problem[] {
    const { keyword, instanceLocation, keywordLocation } = finding;
    const place = tokensOf(instanceLocation);
    const holder = this.#holderOf(keywordLocation);
    const path = this.#path(place);
    const value = this.#valueAt(place);
    if (keyword === 'anyOf' || keyword === 'oneOf') return this.#branches(finding, holder, all);
    if (keyword === 'required') return this.#missing(holder, place, value);
    if (keyword === 'false') return [this.#forbidden(holder, keywordLocation, place)];
    if (keyword === 'dependentRequired' || keyword === 'dependencies') {
      return this.#neededToo(isNode(holder) ? (holder[keyword] ?? {}) : {}, place, value);
    }
    const expected = ['not', 'contains', 'propertyNames', 'uniqueItems'].includes(keyword)
      ? undefined
      : expectation(holder, this.#resolve);
    const weight = weights[keyword] ?? 1;
    return expected === undefined
      ? [
          {
            path,
            text: doesNotFitText(path, keyword, isNode(holder) ? shownValue(holder[keyword]) : '', shownValue(value)),
            weight,
          },
        ]
      : [{ path, text: mustBeText(path, expected, shownValue(value)), expected, weight }];
  }

  #missing(holder: unknown, place: readonly string[], value: unknown): Problem[] {
    if (!isNode(holder) || !isNode(value) || !Array.isArray(holder.required)) return [];
    const properties = isNode(holder.properties) ? holder.properties : {};
    return holder.required
      .filter((name: string) => !Object.hasOwn(value, name))
      .map((name: string) => {
        const path = this.#path([...place, name]);
        const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
        const expected = expectation(schema, this.#resolve);
        return { path, text: missingText(path, expected), expected, missing: true, weight: 3 };
      });
  }

  #neededToo(rules: unknown, place: readonly string[], value: unknown): Problem[] {
    if (!isNode(rules) || !isNode(value)) return [];
    return Object.entries(rules)
      .filter(([name, needs]) => Object.hasOwn(value, name) && Array.isArray(needs))
      .flatMap(([name, needs]) =>
        (needs as readonly string[])
          .filter((need) => !Object.hasOwn(value, need))
          .map((need) => {
            const path = this.#path([...place, need]);
            return { path, text: neededWithText(path, this.#path([...place, name])), weight: 3 };
          }),
      );
  }

  /** A property that must not be there, most often as `additionalProperties` is false. */
  #forbidden(holder: unknown, location: string, place: readonly string[]): Problem {
    const path = this.#path(place);
    const name = place.at(-1) ?? '';
    if (Array.isArray(this.#valueAt(place.slice(0, -1)))) return { path, text: oneTooManyText(path), weight: 5 };
    if (!/\/(additional|unevaluated)Properties\/false$/.test(location)) {
      return { path, text: notAllowedHereText(path), weight: 5 };
    }
    const known = isNode(holder) && isNode(holder.properties) ? Object.keys(holder.properties) : [];
    return { path, text: unknownPropertyText(path, nearest(name, known), known), weight: 5 };
  }

  /** The branch that comes nearest says what is wrong, unless it is not clear which one was meant. */
  #branches(finding: Finding, holder: unknown, all: readonly Finding[]): Problem[] {
    const place = tokensOf(finding.instanceLocation);
    const path = this.#path(place);
    const value = shownValue(this.#valueAt(place));
    const several = /\((\d+) matches/.exec(finding.error)?.[1];
    if (several !== undefined && several !== '0') return [{ path, text: matchesSeveralText(path, value), weight: 1 }];
    const schemas: readonly unknown[] = isNode(holder) ? (holder[finding.keyword] as readonly unknown[]) : [];
    const branches = schemas.map((_, index) => {
      const location = `${finding.keywordLocation}/${index}`;
      const problems = this.#problems(
        all.filter((one) => isBelow(one, finding) && `${one.keywordLocation}/`.startsWith(`${location}/`)),
      );
      const weight = problems.reduce(
        (sum, one) => sum + (one.path === path && one.weight === weights.type ? OTHER_TYPE : one.weight),
        0,
      );
      return { problems, weight };
    });
    const least = Math.min(...branches.map(({ weight }) => weight));
    const best = branches.filter(({ weight }) => weight === least).map(({ problems }) => problems);
    if (best.length === 1 && least < OTHER_TYPE) return [...(best[0] ?? [])];
    const common = this.#common(best, finding, all);
    if (common !== undefined) return [common];
    if (best.length <= MOST_SENTENCES && best.every((problems) => problems.length === 1) && least < OTHER_TYPE) {
      return [{ path, text: best.map(([one]) => one?.text ?? '').join(', or '), weight: least }];
    }
    const expected = either(schemas.map((schema) => expectation(schema, this.#resolve)));
    const text =
      expected === undefined || expected === 'an object'
        ? doesNotFitText(path, finding.keyword, `${schemas.length} alternatives`, value)
        : mustBeText(path, expected, value);
    return [{ path, text, expected, weight: least }];
  }

  /** What all of these branches stumble over: the value that tells them apart, or one of another type. */
  #common(branches: readonly (readonly Problem[])[], above: Finding, all: readonly Finding[]): Problem | undefined {
    const [first = [], ...others] = branches;
    for (const one of [...first].sort((a, b) => b.weight - a.weight)) {
      const same = others.map((problems) =>
        problems.find(
          ({ path, missing, weight }) => path === one.path && missing === one.missing && weight === one.weight,
        ),
      );
      const expected = either([one, ...same].map((problem) => problem?.expected));
      if (expected === undefined) continue;
      const { path, weight, missing = false } = one;
      if (missing) return { path, text: missingText(path, expected), expected, missing, weight };
      const place = this.#placeOf(one, above, all) ?? tokensOf(above.instanceLocation);
      return { path, text: mustBeText(path, expected, shownValue(this.#valueAt(place))), expected, weight };
    }
    return undefined;
  }

  #placeOf({ path }: Problem, above: Finding, all: readonly Finding[]): string[] | undefined {
    const below = all.filter((one) => isBelow(one, above)).map(({ instanceLocation }) => tokensOf(instanceLocation));
    return below.find((place) => this.#path(place) === path);
  }

  /** The schema that a keyword belongs to; undefined when the way to it is not clear. */
  #holderOf(keywordLocation: string): unknown {
    const steps = tokensOf(keywordLocation).slice(0, -1);
    if (keywordLocation.endsWith('Properties/false')) steps.pop();
    let at: unknown = this.#root;
    for (const step of steps) {
      if (typeof at !== 'object' || at === null) return undefined;
      if (step === '$ref') at = this.#resolve(at as SchemaNode);
      else if (step === '$recursiveRef') at = this.#root;
      else at = (at as SchemaNode)[step];
    }
    return at;
  }

  #valueAt(place: readonly string[]): unknown {
    let at: unknown = this.#input;
    for (const step of place) {
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
      at = (at as SchemaNode)[step];
    }
    return at;
  }

  /** The way to a value as JavaScript writes it: `filters[2].size`. */
  #path(place: readonly string[]): string {
    let path = '';
    for (const [index, step] of place.entries()) {
      const inArray = Array.isArray(this.#valueAt(place.slice(0, index)));
      if (inArray) path += `[${step}]`;
      else if (!/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(step)) path += `[${shownValue(step)}]`;
      else path += path === '' ? step : `.${step}`;
    }
    return path.length > 200 ? `…${path.slice(-200)}` : path;
  }
}

const isBelow = (one: Finding, above: Finding): boolean =>
  one !== above &&
  one.keywordLocation.startsWith(`${above.keywordLocation}/`) &&
  `${one.instanceLocation}/`.startsWith(`${above.instanceLocation}/`);

/** The validator puts the value's place where the place of a `false` should be; the finding before it knows better. */
function placed(findings: readonly Finding[]): Finding[] {
  return findings.map((finding, index) => {
    if (finding.keyword !== 'false') return finding;
    const above = findings[index - 1];
    return { ...finding, keywordLocation: `${above?.keywordLocation ?? '#'}/false` };
  });
}

/** `#/a/0/b~1c` as steps. */
const tokensOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
