/** Whatever begins a new line for a reader, be it a person or a model. */
const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/**
 * Text from outside as a part of a larger one: it leaves no code fence open, which would swallow what comes after it, and
 * has no headings, which would make what follows them look like another tool.
 */
export function embedded(text: string): string {
  let open: string | undefined;
  const lines = text.split(lineEnd).map((line) => {
    const [, fence = '', rest = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open !== undefined) {
      if (fence.startsWith(open) && rest.trim() === '') open = undefined;
      return line;
    }
    // With another backtick behind it is code within a line.
    if (fence !== '' && !(fence.startsWith('`') && rest.includes('`'))) open = fence;
    return open === undefined ? withoutMark(line) : line;
  });
  return open === undefined ? lines.join('\n') : [...lines, open].join('\n');
}

/** A heading becomes a line of text. */
const withoutMark = (line: string): string => line.replace(/^\s*(?:#{1,6}(?:\s+|$))+/, '');
