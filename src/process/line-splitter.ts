import { droppedBytesMark } from './messages.js';

const limitBytes = 8 * 1024;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Bytes to lines. Ends at LF, a CR before it is dropped; a lone CR is part of the line, which is why this is not
 * `readline`. Decoded line by line, so a character cut between two chunks is whole again. A line keeps its first 8 KiB.
 */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];
  #kept = 0;
  #dropped = 0;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  add(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** The stream has ended: what is left is a line too. */
  end(): void {
    if (this.#kept > 0) this.#finish();
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const room = Math.min(bytes.length, limitBytes - this.#kept);
    // Copied: a part must not hold on to the 64 KiB chunk it came in.
    if (room > 0) this.#parts.push(Buffer.from(bytes.subarray(0, room)));
    this.#kept += room;
    this.#dropped += bytes.length - room;
  }

  #finish(): void {
    const line = Buffer.concat(this.#parts);
    const dropped = this.#dropped;
    this.#parts = [];
    this.#kept = 0;
    this.#dropped = 0;
    if (dropped > 0) this.#onLine(line.toString('utf8', 0, wholeCharacters(line)) + droppedBytesMark(dropped));
    else this.#onLine(line.toString('utf8', 0, line.at(-1) === carriageReturn ? line.length - 1 : line.length));
  }
}

/** The length without a character at the end that the cap went through. */
function wholeCharacters(line: Buffer): number {
  for (let back = 1; back <= 3; back += 1) {
    const byte = line.at(-back) ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? line.length - back : line.length;
  }
  return line.length;
}
