import type { Writable } from 'node:stream';

/**
 * Standard output or error. `write` keeps order and never waits; `ready` is the back-pressure; `flush` is the only sign
 * that everything has left this process, and must come before any `process.exit`.
 */
export class Output {
  readonly #stream: Writable;
  readonly #closed: Promise<void>;
  readonly #write: Writable['write'];
  readonly #form: (text: string) => string;
  #isClosed = false;

  /**
   * `onClosed` is told once that the reader has gone away (EPIPE), or that writing fails for another reason. `form` is the
   * last that happens to every text: what people read must not command their terminal.
   */
  constructor(
    stream: Writable,
    onClosed: (error: NodeJS.ErrnoException) => void = () => {},
    form: (text: string) => string = (text) => text,
  ) {
    this.#stream = stream;
    this.#form = form;
    // Taken now: what tools write to `process.stdout` later on goes elsewhere.
    this.#write = stream.write.bind(stream);
    this.#closed = new Promise((resolve) => {
      stream.on('error', (error: NodeJS.ErrnoException) => {
        if (this.#isClosed) return;
        this.#isClosed = true;
        // The news first: whoever waits for this stream may believe that all is well once it is released.
        onClosed(error);
        resolve();
      });
    });
  }

  write(text: string): void {
    if (!this.#isClosed) this.#write(this.#form(text));
  }

  async ready(): Promise<void> {
    if (this.#isClosed || !this.#stream.writableNeedDrain) return;
    await this.#until((done) => {
      this.#stream.once('drain', done);
      return () => this.#stream.removeListener('drain', done);
    });
  }

  async flush(): Promise<void> {
    if (this.#isClosed || this.#stream.writableLength === 0) return;
    await this.#until((done) => {
      this.#write('', () => done());
      return () => {};
    });
  }

  async #until(listen: (done: () => void) => () => void): Promise<void> {
    let stop = (): unknown => undefined;
    const happened = new Promise<void>((resolve) => {
      stop = listen(resolve);
    });
    await Promise.race([happened, this.#closed]);
    stop();
  }
}
