import { leftOutMark } from './messages.js';

/** Output within a limit: its beginning and its end, and how much there was in all. */
export class HeldOutput {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #head: Uint8Array[] = [];
  readonly #tail: Uint8Array[] = [];
  #headBytes = 0;
  #tailBytes = 0;
  #total = 0;

  constructor(limitBytes: number) {
    this.#headLimit = Math.ceil(limitBytes / 2);
    this.#tailLimit = limitBytes - this.#headLimit;
  }

  /** Everything that came, also what was skipped. */
  get total(): number {
    return this.#total;
  }

  get omitted(): number {
    return this.#total - this.#headBytes - this.#tailBytes;
  }

  add(bytes: Uint8Array): void {
    this.#total += bytes.length;
    const room = this.omitted - bytes.length > 0 ? 0 : Math.max(0, this.#headLimit - this.#headBytes);
    const first = this.#tailBytes > 0 ? bytes.subarray(0, 0) : bytes.subarray(0, room);
    if (first.length > 0) this.#head.push(first);
    this.#headBytes += first.length;
    const rest = bytes.subarray(first.length);
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    this.#trim();
  }

  /** Output that nobody has any more. What came before it is the beginning, what comes is the end. */
  skip(bytes: number): void {
    if (bytes <= 0) return;
    this.#total += bytes;
    this.#tail.length = 0;
    this.#tailBytes = 0;
  }

  text(): string {
    if (this.omitted === 0) return new TextDecoder().decode(this.bytes());
    // A character that the cut goes through is left out.
    const head = new TextDecoder().decode(joined(this.#head, this.#headBytes), { stream: true });
    const tail = joined(this.#tail, this.#tailBytes);
    let start = 0;
    while (start < Math.min(3, tail.length) && ((tail[start] ?? 0) & 0xc0) === 0x80) start += 1;
    const mark = leftOutMark(this.omitted, this.#total);
    return `${head}${head === '' || head.endsWith('\n') ? '' : '\n'}${mark}\n${new TextDecoder().decode(tail.subarray(start))}`;
  }

  /** What is held, without a mark for what is not. */
  bytes(): Uint8Array {
    return joined([...this.#head, ...this.#tail], this.#headBytes + this.#tailBytes);
  }

  #trim(): void {
    let surplus = this.#tailBytes - this.#tailLimit;
    while (surplus > 0) {
      const oldest = this.#tail[0];
      if (oldest === undefined) break;
      const cut = Math.min(surplus, oldest.length);
      if (cut === oldest.length) this.#tail.shift();
      else this.#tail[0] = oldest.subarray(cut);
      this.#tailBytes -= cut;
      surplus -= cut;
    }
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const result = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
