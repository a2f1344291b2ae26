/** 1-based; columns count UTF-16 units, as V8 does. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The four line ends of JavaScript. */
const lineEnd = /\r\n|[\n\r\u2028\u2029]/g;

/** Where the lines of a text begin. */
export class LineIndex {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (const match of text.matchAll(lineEnd)) this.#starts.push(match.index + match[0].length);
  }

  at(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}

/** Puts a space in the place of every character but line ends: whatever follows keeps its position. */
export const blank = (text: string): string => text.replace(/[^\n\r\u2028\u2029]/g, ' ');
