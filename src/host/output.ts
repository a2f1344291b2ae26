import { MAX_FRAME_BYTES } from '../protocol/limits.js';
import type { ContentItem } from '../protocol/message.js';

/** What one observation gets. */
export interface TakenOutput {
  readonly items: readonly ContentItem[];
  /** Size of the items that were not kept, as JSON: the answer would not have fitted into a frame anyway. */
  readonly droppedBytes: number;
}

/** Collects what a cell puts out between two observations. */
export interface Output {
  add(item: ContentItem): void;
  /** So much waits that the cell should be held until it was taken. */
  readonly full: boolean;
  /** Hands over what is there and starts afresh. */
  take(options: { readonly maxTokens: number | null; readonly errorText: string | null }): TakenOutput;
  /** The error text of a result, as long as the mode allows. */
  shortenError(text: string): string;
}

/** Leaves room in a frame for what the runner's pipe still holds, and for what JSON escapes. */
const FULL_BYTES = 48 * 2 ** 20;

/** Of the item in a frame, but for what has to be escaped; exact sizes would cost a second encoding. */
function sizeOf(item: ContentItem): number {
  const envelope = 40;
  if (item.type === 'input_text') return Buffer.byteLength(item.text) + envelope;
  return (item.type === 'input_image' ? item.image_url : item.audio_url).length + envelope;
}

/** The client truncates: everything is kept, as far as a frame can hold it. */
export class WholeOutput implements Output {
  #items: ContentItem[] = [];
  #bytes = 0;
  #droppedBytes = 0;

  add(item: ContentItem): void {
    const bytes = sizeOf(item);
    if (this.#bytes + bytes > MAX_FRAME_BYTES) this.#droppedBytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    else {
      this.#bytes += bytes;
      this.#items.push(item);
    }
  }

  get full(): boolean {
    return this.#bytes >= FULL_BYTES;
  }

  take(): TakenOutput {
    // With no item kept there is one comma less than items.
    const droppedBytes = this.#items.length === 0 ? Math.max(0, this.#droppedBytes - 1) : this.#droppedBytes;
    const taken = { items: this.#items, droppedBytes };
    this.#items = [];
    this.#bytes = 0;
    this.#droppedBytes = 0;
    return taken;
  }

  shortenError(text: string): string {
    return text;
  }
}
