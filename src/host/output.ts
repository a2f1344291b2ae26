import { MAX_FRAME_BYTES } from '../protocol/limits.js';
import type { ContentItem } from '../protocol/message.js';

/** What one observation gets. */
export interface TakenOutput {
  readonly items: readonly ContentItem[];
  /** Size in a frame of an item that was too large for any, and so was not kept: the answer has to be an error. */
  readonly droppedBytes: number;
}

/** Collects what a cell puts out between two observations. */
export interface Output {
  add(item: ContentItem): void;
  /** In place of an item that no frame can hold; `bytes` is its size as JSON. */
  addOversized(bytes: number): void;
  /** So much waits that the cell should be held until it was taken. */
  readonly full: boolean;
  /** Taking it once would not be enough. */
  readonly beyondOneFrame: boolean;
  /** Hands over what is there, as far as one frame can hold it. */
  take(options: { readonly maxTokens: number | null; readonly errorText: string | null }): TakenOutput;
  /** Nobody will take the rest. */
  discard(): void;
  /** The error text of a result, as long as the mode allows. */
  shortenError(text: string): string;
}

const MIB = 2 ** 20;
/** Of all cells together, and what each may hold all the same. */
const TOTAL_BYTES = 512 * MIB;
const SHARE_BYTES = MIB;
/** An observation ends early at this much; what the runner's pipe still holds then fits into the same frame. */
const FULL_BYTES = 48 * MIB;
/** What stands around the items in the largest answer, generously. */
const ENVELOPE_BYTES = MIB;
/** Of a character that has to be escaped, for each of its bytes. */
const ESCAPED_BYTES = 6;
/** Up to here estimates of size are good enough: even if every character had to be escaped, a frame would hold it. */
const SMALL_BYTES = Math.floor((MAX_FRAME_BYTES - ENVELOPE_BYTES) / ESCAPED_BYTES);

interface Entry {
  readonly item: ContentItem | undefined;
  bytes: number;
  /** Estimated at first, measured once it matters. */
  measured: boolean;
}

/** What all cells of a connection hold together. */
export class OutputTotal {
  bytes = 0;

  /** A cell that holds this much more than its share is held, so that the others can go on. */
  get full(): boolean {
    return this.bytes >= TOTAL_BYTES;
  }
}

/** The client truncates: everything is kept, in as many answers as it takes. */
export class WholeOutput implements Output {
  readonly #total: OutputTotal;
  #entries: Entry[] = [];
  /** Of all entries, and of those that hold memory. */
  #bytes = 0;
  #keptBytes = 0;

  constructor(total: OutputTotal = new OutputTotal()) {
    this.#total = total;
  }

  add(item: ContentItem): void {
    const bytes = estimate(item);
    if (bytes > MAX_FRAME_BYTES) this.addOversized(exact(item));
    else this.#push({ item, bytes, measured: false });
  }

  addOversized(bytes: number): void {
    this.#push({ item: undefined, bytes, measured: true });
  }

  get full(): boolean {
    return this.#keptBytes >= FULL_BYTES || (this.#total.full && this.#keptBytes >= SHARE_BYTES);
  }

  get beyondOneFrame(): boolean {
    return this.#bytes > SMALL_BYTES && this.#fitting() < this.#entries.length;
  }

  take(): TakenOutput {
    const count = this.#bytes > SMALL_BYTES ? this.#fitting() : this.#entries.length;
    const taken = this.#entries.slice(0, count);
    this.#entries = this.#entries.slice(count);
    this.#bytes = sizeOf(this.#entries);
    const kept = sizeOf(this.#entries.filter(({ item }) => item !== undefined));
    this.#total.bytes -= this.#keptBytes - kept;
    this.#keptBytes = kept;
    return {
      items: taken.flatMap(({ item }) => item ?? []),
      droppedBytes: sizeOf(taken.filter(({ item }) => item === undefined)),
    };
  }

  discard(): void {
    this.#entries = [];
    this.#bytes = 0;
    this.#total.bytes -= this.#keptBytes;
    this.#keptBytes = 0;
  }

  shortenError(text: string): string {
    return text;
  }

  #push(entry: Entry): void {
    this.#entries.push(entry);
    this.#bytes += entry.bytes;
    if (entry.item === undefined) return;
    this.#keptBytes += entry.bytes;
    this.#total.bytes += entry.bytes;
  }

  /** How many entries the next frame holds; one at least, even if it is too large for any. */
  #fitting(): number {
    let sum = ENVELOPE_BYTES;
    for (const [count, entry] of this.#entries.entries()) {
      if (entry.item !== undefined && !entry.measured) entry.bytes = exact(entry.item);
      entry.measured = true;
      sum += entry.bytes + 1;
      if (sum > MAX_FRAME_BYTES) return Math.max(1, count);
    }
    return this.#entries.length;
  }
}

function sizeOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Without what has to be escaped. */
function estimate(item: ContentItem): number {
  const envelope = 40;
  if (item.type === 'input_text') return Buffer.byteLength(item.text) + envelope;
  return (item.type === 'input_image' ? item.image_url : item.audio_url).length + envelope;
}

function exact(item: ContentItem): number {
  return Buffer.byteLength(JSON.stringify(item));
}
