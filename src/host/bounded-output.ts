import { DEFAULT_OUTPUT_TOKENS } from '../protocol/limits.js';
import type { ContentItem } from '../protocol/message.js';
import { prefix, scriptError, shortenError, suffix, truncate } from '../protocol/truncation.js';
import { omittedText } from './messages.js';
import type { Output, TakenOutput } from './output.js';

/** What is kept of one observation, before the token budget. Sizes in bytes. */
const TEXT_HALF = 524_288;
const IMAGES = 8_388_608;
/** Texts, images and audio together: leaves room for the rest of the frame. */
const ALL = 65_011_712;
const HEAD_ITEMS = 16_384;
const TAIL_ITEMS = 16_383;

export interface Omitted {
  bytes: number;
  texts: number;
  images: number;
  audios: number;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The host truncates: the head and the tail of the output are kept, what lies between is counted. */
export class BoundedOutput implements Output {
  #head: ContentItem[] = [];
  #tail: ContentItem[] = [];
  #headText = 0;
  #tailText = 0;
  #images = 0;
  #total = 0;
  #headOpen = true;
  #split = false;
  #omitted: Omitted = { bytes: 0, texts: 0, images: 0, audios: 0 };

  /** Never: what is too much is left out. */
  readonly full = false;
  readonly beyondOneFrame = false;

  add(item: ContentItem): void {
    if (item.type === 'input_text') this.#addText(item.text);
    else this.#addMedia(item);
  }

  addOversized(bytes: number): void {
    this.#omitted.bytes += bytes;
    this.#omitted.texts++;
    this.#headOpen = false;
  }

  take({ maxTokens, errorText }: { maxTokens: number | null; errorText: string | null }): TakenOutput {
    if (errorText !== null) this.add(scriptError(errorText));
    const { bytes, texts, images, audios } = this.#omitted;
    const complete = bytes + texts + images + audios === 0;
    const retained = complete
      ? { head: this.#rejoined(), marker: undefined, tail: [], split: false }
      : {
          head: this.#head,
          marker: omittedText(this.#omitted),
          tail: this.#tail,
          // The piece that the tail began with may be gone.
          split: this.#split && texts === 0,
        };
    const items = truncate(retained, maxTokens ?? DEFAULT_OUTPUT_TOKENS);
    this.#reset();
    return { items, droppedBytes: 0 };
  }

  discard(): void {
    this.#reset();
  }

  shortenError(text: string): string {
    return shortenError(text);
  }

  #addText(text: string): void {
    const bytes = Buffer.from(text);
    if (this.#headOpen && this.#head.length < HEAD_ITEMS && this.#headText + bytes.length <= TEXT_HALF) {
      this.#headText += bytes.length;
      this.#head.push({ type: 'input_text', text });
      return;
    }
    let rest: Uint8Array = bytes;
    if (this.#headOpen && this.#head.length < HEAD_ITEMS) {
      const first = prefix(bytes, TEXT_HALF - this.#headText);
      if (first.length > 0) {
        this.#headText += first.length;
        this.#head.push({ type: 'input_text', text: utf8.decode(first) });
        this.#split = true;
        rest = bytes.subarray(first.length);
      }
    }
    this.#headOpen = false;
    this.#tailText += rest.length;
    this.#tail.push({ type: 'input_text', text: rest.length === bytes.length ? text : utf8.decode(rest) });
    this.#trimTail();
  }

  #addMedia(item: ContentItem & { type: 'input_image' | 'input_audio' }): void {
    const image = item.type === 'input_image';
    const size = image ? item.image_url.length : item.audio_url.length;
    if (this.#total + size > ALL || (image && this.#images + size > IMAGES)) {
      this.#omitted[image ? 'images' : 'audios']++;
      this.#headOpen = false;
      return;
    }
    this.#total += size;
    if (image) this.#images += size;
    if (this.#headOpen && this.#head.length < HEAD_ITEMS) this.#head.push(item);
    else {
      this.#headOpen = false;
      this.#tail.push(item);
      this.#trimTail();
    }
  }

  #trimTail(): void {
    while (this.#tail.length > TAIL_ITEMS) this.#drop(0);
    for (let over = this.#tailText - TEXT_HALF; over > 0; over = this.#tailText - TEXT_HALF) {
      const at = this.#tail.findIndex((item) => item.type === 'input_text');
      const item = this.#tail[at];
      if (item?.type !== 'input_text') return;
      const bytes = Buffer.from(item.text);
      if (bytes.length <= over) this.#drop(at);
      else {
        const kept = suffix(bytes, bytes.length - over);
        this.#omitted.bytes += bytes.length - kept.length;
        this.#tailText -= bytes.length - kept.length;
        this.#tail[at] = { type: 'input_text', text: utf8.decode(kept) };
      }
    }
  }

  #drop(at: number): void {
    const [item] = this.#tail.splice(at, 1);
    if (item?.type === 'input_text') {
      const bytes = Buffer.byteLength(item.text);
      this.#omitted.bytes += bytes;
      this.#omitted.texts++;
      this.#tailText -= bytes;
    } else if (item?.type === 'input_image') this.#omitted.images++;
    else this.#omitted.audios++;
  }

  #rejoined(): ContentItem[] {
    const last = this.#head.at(-1);
    const [first, ...rest] = this.#tail;
    if (!this.#split || last?.type !== 'input_text' || first?.type !== 'input_text')
      return [...this.#head, ...this.#tail];
    return [...this.#head.slice(0, -1), { type: 'input_text', text: last.text + first.text }, ...rest];
  }

  #reset(): void {
    this.#head = [];
    this.#tail = [];
    this.#headText = 0;
    this.#tailText = 0;
    this.#images = 0;
    this.#total = 0;
    this.#headOpen = true;
    this.#split = false;
    this.#omitted = { bytes: 0, texts: 0, images: 0, audios: 0 };
  }
}
