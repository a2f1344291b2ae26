/** A text as one word of a shell, whatever it holds: a clone may lie in a folder of any name. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
