import { doesNotFitText, matchesSeveralText, missingText, mustBeText } from '../messages.js';
import { either, expectation } from './expectation.js';
import { type Finding, isBelow, tokensOf } from './finding.js';
import { type Problem, weights } from './problem.js';
import { isNode } from './schema-copy.js';
import { shownValue } from './shown-value.js';
import type { Subject } from './subject.js';

/** A value of another type than the whole branch. */
const OTHER_TYPE = 1_000;
/** Of a branch about which nothing was found, as there was too much. */
const UNKNOWN = 2_000;
/** Branches that are told one by one. */
const MOST_SENTENCES = 3;

/** What is wrong where one of several schemas should fit. */
export class Branches {
  readonly #subject: Subject;
  readonly #problemsOf: (findings: readonly Finding[]) => Problem[];

  /** `problemsOf`: what findings come to by themselves. */
  constructor(subject: Subject, problemsOf: (findings: readonly Finding[]) => Problem[]) {
    this.#subject = subject;
    this.#problemsOf = problemsOf;
  }

  /** The branch that comes nearest says what is wrong, unless it is not clear which one was meant. */
  problems(finding: Finding, holder: unknown, all: readonly Finding[]): Problem[] {
    const place = tokensOf(finding.instanceLocation);
    const path = this.#subject.path(place);
    const value = shownValue(this.#subject.valueAt(place));
    const several = /\((\d+) matches/.exec(finding.error)?.[1];
    if (several !== undefined && several !== '0') return [{ path, text: matchesSeveralText(path, value), weight: 1 }];
    const schemas: readonly unknown[] = isNode(holder) ? (holder[finding.keyword] as readonly unknown[]) : [];
    const branches = schemas.map((_, index) => {
      const location = `${finding.keywordLocation}/${index}`;
      const problems = this.#problemsOf(
        all.filter((one) => isBelow(one, finding) && `${one.keywordLocation}/`.startsWith(`${location}/`)),
      );
      const weight = problems.reduce(
        (sum, one) => sum + (one.path === path && one.weight === weights.type ? OTHER_TYPE : one.weight),
        0,
      );
      return { problems, weight: problems.length === 0 ? UNKNOWN : weight };
    });
    const least = Math.min(...branches.map(({ weight }) => weight));
    const best = branches.filter(({ weight }) => weight === least).map(({ problems }) => problems);
    if (best.length === 1 && least < OTHER_TYPE) return [...(best[0] ?? [])];
    const common = this.#common(best, finding, all);
    if (common !== undefined) return [common];
    if (best.length <= MOST_SENTENCES && best.every((problems) => problems.length === 1) && least < OTHER_TYPE) {
      return [{ path, text: best.map(([one]) => one?.text ?? '').join(', or '), weight: least }];
    }
    const expected = either(schemas.map((schema) => expectation(schema, this.#subject.resolve)));
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
      return { path, text: mustBeText(path, expected, shownValue(this.#subject.valueAt(place))), expected, weight };
    }
    return undefined;
  }

  #placeOf({ path }: Problem, above: Finding, all: readonly Finding[]): string[] | undefined {
    const below = all.filter((one) => isBelow(one, above)).map(({ instanceLocation }) => tokensOf(instanceLocation));
    return below.find((place) => this.#subject.path(place) === path);
  }
}
