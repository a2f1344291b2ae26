/** The text of a type, and what must be known of it to put it into another one. */
export interface RenderedType {
  readonly text: string;
  /** The texts of the union's members; one for whatever is no union, none for `never`. */
  readonly members: readonly string[];
  /** How many members the compiler sees once intersections are multiplied out. */
  readonly width: number;
}

export const plainType = (text: string): RenderedType => ({ text, members: [text], width: text === 'boolean' ? 2 : 1 });
export const unknownType: RenderedType = plainType('unknown');
export const neverType: RenderedType = { text: 'never', members: [], width: 1 };

export const union = (parts: readonly RenderedType[]): RenderedType => ({
  text: parts.map(({ text }) => text).join(' | '),
  members: parts.flatMap(({ members }) => members),
  width: parts.reduce((sum, { width }) => sum + width, 0),
});

/** A member whose text has a ` | ` anywhere gets parentheses, even where it is alone and would not need them. */
export const intersection = (parts: readonly RenderedType[]): RenderedType =>
  multiplied(
    parts.map(({ text }) => (text.includes(' | ') ? `(${text})` : text)),
    parts,
  );

export const enclosedIntersection = (parts: readonly RenderedType[]): RenderedType =>
  multiplied(
    parts.map(({ text }) => `(${text})`),
    parts,
  );

function multiplied(texts: readonly string[], parts: readonly RenderedType[]): RenderedType {
  const text = texts.join(' & ');
  const [first] = parts;
  const members = parts.length === 1 && first !== undefined ? first.members : [text];
  return { text, members, width: parts.reduce((product, { width }) => product * width, 1) };
}

/**
 * Whether the compiler surely takes a `from` where a `to` is wanted. Only what is plain from the texts is seen; a false
 * answer says nothing.
 */
export function fits(from: RenderedType, to: RenderedType): boolean {
  const wanted = new Set(to.members);
  if (wanted.has('unknown') || from.text === to.text) return true;
  return from.members.every((member) => wanted.has(member) || wanted.has(primitiveOf(member)));
}

function primitiveOf(member: string): string {
  if (/^"(?:[^"\\]|\\.)*"$/.test(member)) return 'string';
  if (/^-?\d[\d.e+-]*$/i.test(member)) return 'number';
  return member === 'true' || member === 'false' ? 'boolean' : member;
}
