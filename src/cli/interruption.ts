import { worksOnFiles } from '../process/file-work.js';
import { killOurselves } from '../process/process-group.js';
import { killAllHosts } from '../supervisor/host.js';
import { exitCodeOfSignal, exitCodes } from './exit-code.js';
import { describeFailure } from './failure.js';
import { brokenOutputText, signalText } from './messages.js';
import type { Failure } from './reporter.js';

/** Why the run ends now, whatever it is doing. */
export interface Interruption {
  readonly exitCode: number;
  /** What has ended it, if that was a signal. */
  readonly signal?: NodeJS.Signals;
  /** Null when there is nobody left to tell. */
  readonly failure: Failure | null;
}

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Everything that ends a run from outside. The hosts are killed within the handler itself, before anything is awaited:
 * they lead groups of their own, so a Ctrl-C does not reach them. A second signal exits at once.
 */
export class Interruptions {
  readonly first: Promise<Interruption>;
  #report: (interruption: Interruption) => void = () => {};
  #signalled = false;

  constructor() {
    this.first = new Promise((resolve) => {
      this.#report = resolve;
    });
    for (const signal of SIGNALS) process.on(signal, () => this.#onSignal(signal));
    process.on('uncaughtException', (error) => {
      this.#interrupt({ exitCode: exitCodes.failed, failure: describeFailure(error) });
    });
  }

  /** For the `Output` of stdout. A reader that has had enough is no failure: we go as SIGPIPE would have made us go. */
  readonly outputClosed = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'EPIPE')
      this.#interrupt({ exitCode: exitCodeOfSignal('SIGPIPE'), signal: 'SIGPIPE', failure: null });
    else {
      const failure = { code: 'output', message: brokenOutputText(error.message), data: { code: error.code } };
      this.#interrupt({ exitCode: exitCodes.failed, failure });
    }
  };

  #onSignal(signal: NodeJS.Signals): void {
    const exitCode = exitCodeOfSignal(signal);
    if (this.#signalled) {
      killAllHosts();
      if (worksOnFiles()) killOurselves(signal);
      process.exit(exitCode);
    }
    this.#signalled = true;
    this.#interrupt({
      exitCode,
      signal,
      failure: { code: 'cancelled', message: signalText(signal), data: { signal } },
    });
  }

  #interrupt(interruption: Interruption): void {
    killAllHosts();
    this.#report(interruption);
  }
}
