import type { ByteSource } from './bytes.js';

export interface InletConsumer {
  chunk(bytes: Uint8Array): void;
  /** The stream ended, with an error or without. Comes once, after the last chunk. */
  end(error: Error | undefined): void;
}

/**
 * Listens to a source from the moment it exists, because Node throws away what nobody reads when a child exits.
 * While no consumer is attached, bytes are kept; so the handshake can hand over to the reader without a loss.
 */
export class Inlet {
  readonly #source: ByteSource;
  #consumer: InletConsumer | undefined;
  #kept: Uint8Array[] = [];
  #end: { error: Error | undefined } | undefined;
  #bytes = 0;

  constructor(source: ByteSource) {
    this.#source = source;
    source.on('data', (chunk: Uint8Array) => this.#chunk(chunk));
    source.on('end', () => this.#finish(undefined));
    source.on('error', (error) => this.#finish(error));
    source.on('close', () => this.#finish(undefined));
    if (source.destroyed) this.#finish(source.errored ?? undefined);
  }

  /** Bytes that came from the source so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Hands over what was kept, at once, and then everything as it comes. */
  attach(consumer: InletConsumer): void {
    this.#consumer = consumer;
    const kept = this.#kept;
    this.#kept = [];
    for (const [index, chunk] of kept.entries()) {
      if (this.#consumer !== consumer) {
        this.#kept.push(...kept.slice(index));
        return;
      }
      consumer.chunk(chunk);
    }
    if (this.#consumer !== consumer) return;
    if (this.#end === undefined) this.#source.resume();
    else consumer.end(this.#end.error);
  }

  /** Keeps bytes from now on, beginning with `rest`, which the consumer did not use. */
  detach(rest?: Uint8Array): void {
    this.#consumer = undefined;
    if (rest !== undefined && rest.byteLength > 0) this.#kept.push(rest);
    this.#source.pause();
  }

  /** Asks the source to wait. It may not do so: an exiting child's stream is resumed by Node. */
  pause(): void {
    this.#source.pause();
  }

  resume(): void {
    this.#source.resume();
  }

  #chunk(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    if (this.#consumer === undefined) this.#kept.push(chunk);
    else this.#consumer.chunk(chunk);
  }

  #finish(error: Error | undefined): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    this.#consumer?.end(error);
  }
}
