import { nearest } from '../../names/nearest-name.js';
import {
  doesNotFitText,
  missingText,
  mustBeText,
  neededWithText,
  notAllowedHereText,
  oneTooManyText,
  unknownPropertyText,
} from '../messages.js';
import { Branches } from './branches.js';
import { expectation, type Resolve } from './expectation.js';
import { closed, type Finding, isBelow, placed, tokensOf, wrappers } from './finding.js';
import { type Problem, weights } from './problem.js';
import { isNode, type SchemaNode } from './schema-copy.js';
import { shownValue } from './shown-value.js';
import { Subject } from './subject.js';

/** More are not made into words. */
const MOST_PROBLEMS = 100;
/** Names that are compared with one that is not known, and how often: it takes time. */
const MOST_CANDIDATES = 200;
const MOST_GUESSES = 5;

/** Turns a validator's findings into sentences about an input. */
export class InputProblems {
  readonly #subject: Subject;
  readonly #branches: Branches;
  #guesses = 0;

  constructor(root: SchemaNode | boolean, resolve: Resolve, input: unknown) {
    this.#subject = new Subject(root, resolve, input);
    this.#branches = new Branches(this.#subject, (findings) => this.#problems(findings));
  }

  /** One sentence for each problem, each once, in the order of the schema. */
  sentences(findings: readonly Finding[]): string[] {
    return [...new Set(this.#problems(placed(findings)).map(({ text }) => text))];
  }

  #problems(findings: readonly Finding[]): Problem[] {
    const problems = new Map<string, Problem>();
    const done: Finding[] = [];
    const missing = new Set<string>();
    for (const finding of findings) {
      if (problems.size >= MOST_PROBLEMS) break;
      if (done.some((above) => isBelow(finding, above))) continue;
      if (closed.has(finding.keyword)) done.push(finding);
      if (finding.keyword === 'required') {
        // There is one for each name, and the first one tells all of them.
        const place = `${finding.keywordLocation}\n${finding.instanceLocation}`;
        if (missing.has(place)) continue;
        missing.add(place);
      }
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
    const holder = this.#subject.holderOf(keywordLocation);
    const path = this.#subject.path(place);
    const value = this.#subject.valueAt(place);
    if (keyword === 'anyOf' || keyword === 'oneOf') return this.#branches.problems(finding, holder, all);
    if (keyword === 'required') return this.#missing(holder, place, value);
    if (keyword === 'false') return [this.#forbidden(holder, keywordLocation, place)];
    if (keyword === 'dependentRequired' || keyword === 'dependencies') {
      return this.#neededToo(isNode(holder) ? (holder[keyword] ?? {}) : {}, place, value);
    }
    const expected = ['not', 'contains', 'propertyNames', 'uniqueItems'].includes(keyword)
      ? undefined
      : expectation(holder, this.#subject.resolve);
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
        const path = this.#subject.path([...place, name]);
        const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
        const expected = expectation(schema, this.#subject.resolve);
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
            const path = this.#subject.path([...place, need]);
            return { path, text: neededWithText(path, this.#subject.path([...place, name])), weight: 3 };
          }),
      );
  }

  /** A property that must not be there, most often as `additionalProperties` is false. */
  #forbidden(holder: unknown, location: string, place: readonly string[]): Problem {
    const path = this.#subject.path(place);
    const name = place.at(-1) ?? '';
    if (Array.isArray(this.#subject.valueAt(place.slice(0, -1))))
      return { path, text: oneTooManyText(path), weight: 5 };
    if (!/\/(additional|unevaluated)Properties\/false$/.test(location)) {
      return { path, text: notAllowedHereText(path), weight: 5 };
    }
    const known = isNode(holder) && isNode(holder.properties) ? Object.keys(holder.properties) : [];
    const guess = this.#guesses < MOST_GUESSES ? nearest(name, known.slice(0, MOST_CANDIDATES)) : undefined;
    this.#guesses += 1;
    return { path, text: unknownPropertyText(path, guess, known), weight: 5 };
  }
}
