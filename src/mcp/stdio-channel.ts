import { CodemodeError, type ErrorData } from '../errors.js';
import { hostEnvironment } from '../process/environment.js';
import { describeExit } from '../process/exit-status.js';
import { leashGroup } from '../process/group-leash.js';
import type { HostProcess } from '../process/host-process.js';
import { startHost } from '../process/spawn.js';
import { within } from '../waiting/within.js';
import { answeredId } from './answered-id.js';
import type { Channel, ChannelEvents, ChannelFacts, RpcMessage } from './channel.js';
import { MessageLines } from './message-lines.js';
import {
  brokeOffText,
  closedStdinText,
  closedStdoutText,
  endedText,
  factsText,
  messageTooLongText,
  notJsonAnswerText,
  spawnText,
  strayExcerpt,
} from './messages.js';
import { OutgoingMessages } from './outgoing-messages.js';
import type { StdioServerConfig } from './server-config.js';
import { ServerFault } from './server-fault.js';
import { takeMessage } from './take-message.js';

/** The largest message that is taken: it has to fit into one string, several times over. */
const limitBytes = 64 * 2 ** 20;
/** Of the messages that a server has not read yet: a limit for the memory that one which does not read can cost. */
const unreadBytes = 512 * 2 ** 20;
/** How long the end of a stream waits for the exit status, which explains it, and the other way round. */
const graceMs = 100;
/** How long a server has to end by itself when its stdin does. */
const politeMs = 200;

export interface StdioOptions {
  /** Default: that of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal: AbortSignal;
  readonly events: ChannelEvents;
}

/** A message a line over the stdin and stdout of a process in a group of its own. */
export class StdioChannel implements Channel {
  readonly #host: HostProcess;
  readonly #events: ChannelEvents;
  readonly #lines = new MessageLines(limitBytes);
  readonly #outgoing: OutgoingMessages;
  readonly #outputEnd: Promise<void>;
  readonly #offLeash: () => void;
  #stray = '';
  #ending = false;

  /** Starts the server; rejects with a `ServerFault`, or with the reason of the signal. */
  static async open(config: StdioServerConfig, { environment, signal, events }: StdioOptions): Promise<StdioChannel> {
    const { command: program, args, cwd, env: set } = config;
    const env = hostEnvironment({ ...(environment === undefined ? {} : { source: environment }), set });
    const command = { program, args, ...(cwd === undefined ? {} : { cwd }) };
    try {
      const host = await startHost({ command, env, signal, onStderrLine: (line) => events.stderr(line) });
      return new StdioChannel(host, events);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CodemodeError) || error.code !== 'spawn-failed') throw error;
      throw new ServerFault(spawnText(error, env.PATH), { cause: error.cause, data: spawnData(error.data) });
    }
  }

  private constructor(host: HostProcess, events: ChannelEvents) {
    this.#host = host;
    this.#events = events;
    this.#offLeash = leashGroup(host.pid);
    const { stdin, stdout } = host;
    this.#outgoing = new OutgoingMessages(stdin, unreadBytes);
    this.#outputEnd = new Promise((resolve) => {
      for (const event of ['end', 'close', 'error']) stdout.once(event, () => resolve());
    });
    stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    void this.#outputEnd.then(() => this.#lost(closedStdoutText));
    void host.exited.then(() => this.#lost(closedStdoutText));
  }

  async send(message: RpcMessage): Promise<void> {
    const sent = this.#outgoing.add(message);
    try {
      await sent;
    } catch (error) {
      // Nobody hears of a broken pipe before it is known what broke it.
      await this.#lost(closedStdinText, error);
      throw new ServerFault(closedStdinText, { cause: error });
    }
  }

  forget(id: number): void {
    this.#outgoing.forget(id);
  }

  agreed(): void {}

  giveUp(reason: string): void {
    this.#end(reason, undefined);
  }

  async close(): Promise<void> {
    const running = !this.#ending;
    this.#ending = true;
    if (running) {
      this.#outgoing.end();
      await within(this.#host.exited, politeMs, undefined);
    }
    await this.#dispose();
  }

  async #dispose(): Promise<void> {
    const { code, signal } = await this.#host.dispose();
    // Whoever was not seen to end is killed once more when we end.
    if (code !== null || signal !== null) this.#offLeash();
  }

  facts(): ChannelFacts {
    const { program, pid, startedAt } = this.#host;
    const exit = this.#host.exitStatus() ?? null;
    const elapsedMs = performance.now() - startedAt;
    const stderr = this.#host.stderr.text();
    const stray = this.#stray;
    return {
      text: factsText({ program, stderr, stray }),
      data: { program, pid, exit, elapsedMs, stderr, stray },
    };
  }

  #read(chunk: Buffer): void {
    if (this.#ending) return;
    if (this.#lines.add(chunk, (line) => this.#line(line))) return;
    this.#end(messageTooLongText(limitBytes), undefined);
  }

  #line(whole: string): void {
    const line = whole.startsWith('\ufeff') ? whole.slice(1) : whole;
    // A long chunk may hold lines behind the one at which it was closed.
    if (this.#ending || /^\s*$/.test(line)) return;
    if (/^\s*[{[]/.test(line) && this.#take(line)) return;
    if (this.#stray === '') this.#stray = strayExcerpt(line);
    this.#events.stray(strayExcerpt(line));
  }

  #take(line: string): boolean {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      const id = answeredId(line);
      const reason = strayExcerpt(error instanceof Error ? error.message : String(error));
      if (id !== undefined) this.#events.lost(id, new ServerFault(notJsonAnswerText(reason)));
      return false;
    }
    return takeMessage(this.#events, value);
  }

  /** Half of the connection is gone, or the process. The exit status explains the rest, so it is waited for. */
  async #lost(symptom: string, cause?: unknown): Promise<void> {
    if (this.#ending) return;
    await within(this.#host.exited, graceMs, undefined);
    // What it said last may still be on its way; a grandchild may hold the pipe for ever.
    if (this.#host.exitStatus() !== undefined) await within(this.#outputEnd, graceMs, undefined);
    // The stderr that is there by now is read before it is closed.
    for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
    const exited = this.#host.exitStatus();
    const elapsedMs = performance.now() - this.#host.startedAt;
    const reason = exited === undefined ? symptom : endedText(describeExit(exited), elapsedMs);
    this.#end(`${reason}${brokeOffText(this.#lines.partial)}`, cause);
  }

  #end(reason: string, cause: unknown): void {
    if (this.#ending) return;
    this.#ending = true;
    const { text, data } = this.facts();
    void this.#dispose();
    this.#events.ended(new ServerFault(`${reason}${text}`, { cause, data }));
  }
}

const spawnData = ({ path, cwd, code, errno, hint }: ErrorData): ErrorData => ({ path, cwd, code, errno, hint });
