import type { Writable } from 'node:stream';
import { encodeFrame } from '../protocol/frame.js';

/** Above this, the cells that go on writing have to wait until the client has taken some of it. */
const HIGH_WATER_BYTES = 16 * 2 ** 20;

/** Frames to the client. All frames of one turn of the event loop leave in one write. */
export class FrameOutput {
  readonly #stream: Writable;
  readonly #congested: (congested: boolean) => void;
  #parts: Uint8Array[] = [];

  constructor(stream: Writable, congested: (congested: boolean) => void) {
    this.#stream = stream;
    this.#congested = congested;
    stream.on('drain', () => congested(false));
  }

  send(body: Uint8Array): void {
    if (this.#parts.length === 0) queueMicrotask(() => this.flush());
    this.#parts.push(...encodeFrame(body));
  }

  flush(): void {
    const parts = this.#parts;
    this.#parts = [];
    if (parts.length === 0 || this.#stream.destroyed) return;
    this.#stream.cork();
    for (const part of parts) this.#stream.write(part);
    this.#stream.uncork();
    if (this.#stream.writableLength > HIGH_WATER_BYTES) this.#congested(true);
  }

  /** Calls `done` once everything has left. */
  end(done: () => void): void {
    this.flush();
    this.#stream.end(done);
  }
}
