// What others have written may hold anything, also sequences that move a cursor, clear a screen or rename a window.

/** C0, DEL and C1, without tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/** Control characters as `\u001b`, which says the same in JSON and in JavaScript; Windows line ends become plain ones. */
export const printable = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(CONTROLS, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** What is to be one line: the ends of lines in it are shown as `\n`, so that nobody can make up a line of ours. */
export const oneLine = (text: string): string => text.trimEnd().replace(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g, '\\n');

/** What may be several lines: all but the first stand further in than a line that says who speaks. */
export const indented = (text: string): string => text.trimEnd().replace(/\r\n|[\n\u2028\u2029]/g, '\n  ');

/** For models, which have no use for them, and within a budget. */
export const withoutControls = (text: string): string => text.replaceAll('\r\n', '\n').replace(CONTROLS, '');
