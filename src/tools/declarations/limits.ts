/** How large the text of one schema's type may become, in UTF-16 code units. */
export const MAX_TYPE_LENGTH = 32_768;
/** Types inside types, and values inside a constant. Deeper ones are `unknown`. */
export const MAX_TYPE_DEPTH = 100;
/** The same `$ref` on one path, as in the reference. */
export const MAX_REF_EXPANSIONS = 2;
/**
 * The compiler gives up on an intersection of unions that multiply to 100,000 members, and is slow long before; such a
 * type is `unknown`.
 */
export const MAX_UNION_WIDTH = 10_000;

/** How much of a schema is shown. */
export interface Detail {
  readonly depth: number;
  readonly comments: boolean;
  /** An `enum` with more values becomes the types of its values. */
  readonly enumValues: number;
}

/**
 * Tried one after the other until the text is short enough. A schema loses depth everywhere alike, and none of its
 * properties before the others.
 */
export const details: readonly Detail[] = [
  { depth: MAX_TYPE_DEPTH, comments: true, enumValues: Infinity },
  { depth: MAX_TYPE_DEPTH, comments: false, enumValues: Infinity },
  ...[MAX_TYPE_DEPTH, 8, 6, 5, 4, 3, 2, 1, 0].map((depth) => ({ depth, comments: false, enumValues: 100 })),
];
