import { CodemodeError } from '../../errors.js';
import { describeExit } from '../../process/exit-status.js';
import type { HostCommand } from '../../process/host-command.js';
import type { HostProcess } from '../../process/host-process.js';
import { startHost } from '../../process/spawn.js';
import { within } from '../../waiting/within.js';
import { LineChannel } from '../connection/line-channel.js';
import type { ChannelEnd, ChannelEvents, MessageChannel } from '../connection/message-channel.js';
import type { OutgoingMessage } from '../wire/encoded-result.js';
import { MAX_ANSWER_BYTES, STDIO_EXIT_LIMIT_MS } from '../wire/limits.js';
import type { Dialer } from './dialer.js';
import { serverEnded, spawnFailed } from './messages.js';

/** How long an ended stream waits for the exit status that explains it. */
const EXIT_GRACE_MS = 100;

export interface StdioTarget {
  readonly command: HostCommand;
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly onStderrLine?: ((line: string) => void) | undefined;
}

/** A server of our own, which ends with the connection. */
export function stdioDialer(target: StdioTarget): Dialer {
  return {
    resumable: false,
    dial: async (signal) => {
      try {
        return new ServerProcessChannel(await startHost({ ...target, signal }));
      } catch (error) {
        throw error instanceof CodemodeError && error.code === 'spawn-failed' ? spawnFailed(error) : error;
      }
    },
  };
}

/** The stdio of a server process; says how the process ended, and ends it. */
class ServerProcessChannel implements MessageChannel {
  readonly complaint: string;
  readonly #host: HostProcess;
  readonly #lines: LineChannel;
  #closing: Promise<void> | undefined;

  constructor(host: HostProcess) {
    this.#host = host;
    this.#lines = new LineChannel({ input: host.stdout, output: host.stdin, maxLineBytes: MAX_ANSWER_BYTES });
    this.complaint = this.#lines.complaint;
  }

  start(events: ChannelEvents): void {
    this.#lines.start({
      message: (text) => events.message(text),
      end: (end) => {
        this.#explain(end).then(
          (explained) => events.end(explained),
          () => events.end(end),
        );
      },
    });
  }

  get unsentBytes(): number {
    return this.#lines.unsentBytes;
  }

  send(message: OutgoingMessage): Promise<void> {
    return this.#lines.send(message);
  }

  pause(): void {
    this.#lines.pause();
  }

  resume(): void {
    this.#lines.resume();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** The end of its input tells a server to end, with its processes. One that does not gets no second chance. */
  async #close(): Promise<void> {
    await this.#lines.close();
    await within(this.#host.exited, STDIO_EXIT_LIMIT_MS, undefined);
    await this.#host.dispose();
  }

  async #explain(end: ChannelEnd): Promise<ChannelEnd> {
    if (end.reason?.code === 'protocol-error') return end;
    await within(this.#host.exited, EXIT_GRACE_MS, undefined);
    const status = this.#host.exitStatus();
    if (status === undefined) return end;
    const how = describeExit(status);
    const stderr = this.#host.stderr.text();
    return { ...end, reason: serverEnded(how, { ...status, stderr }, end.reason) };
  }
}
