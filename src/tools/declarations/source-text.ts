// Pieces of TypeScript source that hold text from outside.

/** JSON text that is a string literal for every compiler: older ones end a line at U+2028 and U+2029. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\u2028\u2029]/g, (found) => (found === '\u2028' ? '\\u2028' : '\\u2029'));

export const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));

/** Non-blank lines, trimmed, without halves of characters. */
export const linesOf = (text: string, ends: RegExp): string[] =>
  text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split(ends)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Whatever ends a `//` comment for the compiler. */
export const lineEnds = /[\n\r\u2028\u2029]/;

/** The compiler obeys `@ts-ignore` and complains about a needless `@ts-expect-error`, wherever they begin a comment. */
export const tamed = (line: string): string => (line.startsWith('@ts-') ? `> ${line}` : line);

/** For the inside of a block comment. */
export const inBlockComment = (text: string): string => text.replaceAll('*/', '*\\/');

/** A comment of one line, or one of several, in front of what follows at the same indentation. */
export function docComment(text: string, indent: string): string {
  const lines = linesOf(text, lineEnds).map((line) => tamed(inBlockComment(line)));
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}
