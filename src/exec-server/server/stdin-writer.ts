/** The way to a child's stdin. Nothing here waits for the child; what it does not read is kept. */
export interface StdinWriter {
  readonly queuedBytes: number;
  /** How long nothing of what is queued was taken, in ms; of no meaning when nothing is. */
  readonly quietMs: number;
  /** The child, or we, have closed it. */
  readonly closed: boolean;
  write(bytes: Buffer): void;
  /** Closes it behind what is queued. */
  end(): void;
  /** At once, with everything that is queued. */
  destroy(): void;
  /** Runs when there is less in the queue than before, or it is closed; once. */
  onProgress(then: () => void): void;
}
