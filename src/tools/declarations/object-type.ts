import { fits, plainType, type RenderedType, unknownType } from './rendered-type.js';
import { lineEnds, linesOf, propertyName, tamed } from './source-text.js';

/** `reference`: the text of the reference, also where it does not compile. `safe`: text that compiles. */
export type Dialect = 'safe' | 'reference';

export interface Property {
  readonly name: string;
  readonly type: RenderedType;
  readonly required: boolean;
  readonly description: string;
}

/** An object's type: on one line, or on several where a property has a description. */
export function objectType(
  properties: readonly Property[],
  index: RenderedType | undefined,
  dialect: Dialect,
): RenderedType {
  const isSafe = dialect === 'safe';
  const lines = properties.flatMap(({ name, type, required, description }) => {
    return [...commentLines(description, isSafe), `${propertyName(name)}${required ? '' : '?'}: ${type.text};`];
  });
  if (index !== undefined) {
    const conflicts = isSafe && !properties.every(({ type, required }) => agrees(type, required, index));
    lines.push(`[key: string]: ${(conflicts ? unknownType : index).text};`);
  }
  if (lines.length === 0) return plainType('{}');
  const isLong = properties.some(({ description }) => description !== '');
  return plainType(isLong ? `{\n${lines.map((line) => `  ${line}\n`).join('')}}` : `{ ${lines.join(' ')} }`);
}

/** In TypeScript the index signature covers the named properties too, and an optional one may be undefined. */
const agrees = (type: RenderedType, required: boolean, index: RenderedType): boolean =>
  index.members.includes('unknown') || (required && fits(type, index));

const commentLines = (description: string, isSafe: boolean): string[] =>
  isSafe
    ? linesOf(description, lineEnds).map((line) => `// ${tamed(line)}`)
    : linesOf(description, /\n/).map((line) => `// ${line}`);
