/** What the validator says: places as JSON pointers, and which keyword did not hold. */
export interface Finding {
  readonly keyword: string;
  readonly keywordLocation: string;
  readonly instanceLocation: string;
  readonly error: string;
}

/** Findings about parts of what another finding says; each has findings of its own below it. */
export const wrappers: ReadonlySet<string> = new Set([
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
export const closed: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'not', 'contains', 'propertyNames']);

export const isBelow = (one: Finding, above: Finding): boolean =>
  one !== above &&
  one.keywordLocation.startsWith(`${above.keywordLocation}/`) &&
  `${one.instanceLocation}/`.startsWith(`${above.instanceLocation}/`);

/** The validator puts the value's place where the place of a `false` should be; the finding before it knows better. */
export function placed(findings: readonly Finding[]): Finding[] {
  return findings.map((finding, index) => {
    if (finding.keyword !== 'false') return finding;
    const above = findings[index - 1];
    return { ...finding, keywordLocation: `${above?.keywordLocation ?? '#'}/false` };
  });
}

/** `#/a/0/b~1c` as steps. */
export const tokensOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
