import { CodemodeError } from '../errors.js';
import { FRAME_HEADER_BYTES, MAX_FRAME_BYTES } from './limits.js';

/** Below this, copying body and header into one array is cheaper than two writes. */
const SMALL_BODY_BYTES = 65_536;

/** Throws `frame-too-large` with the reference's words when a body does not fit into one frame. */
export function checkFrameLength(length: number, limit: number = MAX_FRAME_BYTES): void {
  if (length > limit) {
    throw new CodemodeError('frame-too-large', `code-mode IPC frame length ${length} exceeds ${limit} bytes`, {
      data: { length, limit },
    });
  }
}

/**
 * One frame: u32 little-endian body length, then the body. A small frame is one array; a large one is two, so that the
 * body is not copied.
 */
export function encodeFrame(body: Uint8Array, limit: number = MAX_FRAME_BYTES): Uint8Array[] {
  checkFrameLength(body.byteLength, limit);
  const joined = body.byteLength <= SMALL_BODY_BYTES;
  const head = new Uint8Array(FRAME_HEADER_BYTES + (joined ? body.byteLength : 0));
  new DataView(head.buffer).setUint32(0, body.byteLength, true);
  if (!joined) return [head, body];
  head.set(body, FRAME_HEADER_BYTES);
  return [head];
}

/**
 * Turns a byte stream into frame bodies, whatever the chunking. Linear in the input: a body that is not complete yet
 * gets one array of its full size, once its length is known and allowed, and is filled as chunks come. A body that is
 * complete inside one chunk is a view of that chunk.
 */
export class FrameDecoder {
  /** Bodies longer than this are refused when their header is read. The handshake starts small and raises it. */
  limit: number;
  #header = new Uint8Array(FRAME_HEADER_BYTES);
  #headerBytes = 0;
  #body: Uint8Array | undefined;
  #bodyBytes = 0;
  #frames = 0;
  #consumed = 0;

  constructor(limit: number = MAX_FRAME_BYTES) {
    this.limit = limit;
  }

  /** Frames completed so far. */
  get frames(): number {
    return this.#frames;
  }

  /** Bytes consumed so far, headers included. */
  get bytes(): number {
    return this.#consumed;
  }

  /** Yields each frame body that `chunk` completes, in order. */
  *push(chunk: Uint8Array): Generator<Uint8Array, void, void> {
    for (let rest = chunk; ; ) {
      const step = this.next(rest);
      if (step.body === undefined) return;
      yield step.body;
      rest = step.rest;
    }
  }

  /** Consumes `chunk` up to the end of one frame at most. `rest` is what was not looked at. */
  next(chunk: Uint8Array): { body: Uint8Array | undefined; rest: Uint8Array } {
    let rest = chunk;
    if (this.#body === undefined) {
      const taken = Math.min(FRAME_HEADER_BYTES - this.#headerBytes, rest.byteLength);
      this.#header.set(rest.subarray(0, taken), this.#headerBytes);
      this.#headerBytes += taken;
      this.#consumed += taken;
      rest = rest.subarray(taken);
      if (this.#headerBytes < FRAME_HEADER_BYTES) return { body: undefined, rest };
      const length = new DataView(this.#header.buffer).getUint32(0, true);
      if (length > this.limit) throw this.#tooLong(length, rest);
      if (rest.byteLength >= length) return this.#finish(rest.subarray(0, length), rest.subarray(length), length);
      this.#body = new Uint8Array(length);
      this.#bodyBytes = 0;
    }
    const body = this.#body;
    const piece = rest.subarray(0, body.byteLength - this.#bodyBytes);
    body.set(piece, this.#bodyBytes);
    this.#bodyBytes += piece.byteLength;
    if (this.#bodyBytes === body.byteLength)
      return this.#finish(body, rest.subarray(piece.byteLength), piece.byteLength);
    this.#consumed += piece.byteLength;
    return { body: undefined, rest: rest.subarray(piece.byteLength) };
  }

  /** To be called at the end of the stream: throws `protocol-error` when it ended inside a frame. */
  end(): void {
    const partial = this.partial();
    if (partial === undefined) return;
    const { have, want, part } = partial;
    throw new CodemodeError('protocol-error', 'early eof', {
      data: {
        frame: this.#frames + 1,
        offset: this.#consumed,
        detail: `stream ended inside a frame ${part}, ${have} of ${want} bytes`,
      },
    });
  }

  /** How much of an unfinished frame is here; undefined at a frame boundary. */
  partial(): { have: number; want: number; part: 'header' | 'body' } | undefined {
    if (this.#body !== undefined) return { have: this.#bodyBytes, want: this.#body.byteLength, part: 'body' };
    if (this.#headerBytes > 0) return { have: this.#headerBytes, want: FRAME_HEADER_BYTES, part: 'header' };
    return undefined;
  }

  #finish(body: Uint8Array, rest: Uint8Array, taken: number): { body: Uint8Array; rest: Uint8Array } {
    this.#consumed += taken;
    this.#frames += 1;
    this.#headerBytes = 0;
    this.#body = undefined;
    return { body, rest };
  }

  #tooLong(length: number, following: Uint8Array): CodemodeError {
    const text = printable(this.#header, following);
    return new CodemodeError('protocol-error', `code-mode IPC frame length ${length} exceeds ${this.limit} bytes`, {
      data: {
        frame: this.#frames + 1,
        offset: this.#consumed - FRAME_HEADER_BYTES,
        length,
        limit: this.limit,
        ...(text === undefined ? {} : { text }),
      },
    });
  }
}

/** The first 64 bytes as escaped text when the "length" is really text that somebody printed. */
function printable(header: Uint8Array, following: Uint8Array): string | undefined {
  const isText = (byte: number) => byte >= 0x20 || (byte >= 0x08 && byte <= 0x0d) || byte === 0x1b;
  if (!header.every(isText)) return undefined;
  const end = following.findIndex((byte) => !isText(byte));
  const textBytes = header.byteLength + (end < 0 ? following.byteLength : end);
  const bytes = new Uint8Array(Math.min(64, textBytes));
  bytes.set(header);
  bytes.set(following.subarray(0, bytes.byteLength - header.byteLength), header.byteLength);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return JSON.stringify(text).slice(1, -1);
}
