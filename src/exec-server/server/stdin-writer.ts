/** The way to a child's stdin. Nothing here waits for the child; what it does not read is kept. */
export interface StdinWriter {
  /** What the child has not read, also behind `end`. */
  readonly queuedBytes: number;
  /** What `end` adds to that, at most. */
  readonly endBytes: number;
  /** How long nothing of what is queued was taken, in ms; of no meaning when nothing is. */
  readonly quietMs: number;
  /** The child, or we, have closed it: nothing more is taken. */
  readonly closed: boolean;
  write(bytes: Buffer): void;
  /** Closes it behind what is queued. */
  end(): void;
  /** At once, with everything that is queued. */
  destroy(): void;
  /** Runs when there is less in the queue than before, or it is given up; once. Gives back a function that calls it off. */
  onProgress(then: () => void): () => void;
}
