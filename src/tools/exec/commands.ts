import { CodemodeError } from '../../errors.js';
import type { ExecServerClient, ProcessOutput, RemoteProcess } from '../../exec-server/client/index.js';
import { rpcCodes } from '../../exec-server/wire/index.js';
import type { ToolContext } from '../tool.js';
import { absolutePath } from './absolute-path.js';
import { startFailure } from './failure.js';
import { type Fields, refused } from './input.js';
import { execLimits } from './limits.js';
import { forgottenCommandText, noCommandText, noInputText, tooManyCommandsText } from './messages.js';
import { HeldOutput } from './output.js';

const PAGE_BYTES = 262_144;
const MAX_SESSIONS = 64;
/** For each look at the working directory of a command that did not start. */
const LOOK_MS = 5_000;
/** After the end of a command: how long output of what it left behind is waited for. */
const LAST_OUTPUT_MS = 100;
/** What a server keeps of an ended command fits into so many; they are read also when the time is over. */
const LAST_PAGES = 8;

/** A command that goes on after its tool call. */
interface Running {
  readonly remote: RemoteProcess;
  /** The last number that was told. */
  seq: number;
  /** Bytes up to there, told or lost. */
  bytes: number;
}

interface Wait {
  readonly yieldMs: number;
  readonly outputBytes: number;
}

const waitOf = (input: Fields): Wait => ({
  yieldMs: input.integer('yield_time_ms', execLimits.yieldMs),
  outputBytes: input.integer('max_output_bytes', execLimits.outputBytes),
});

/** Commands of cells, some of which go on after their tool call. */
export class ExecCommands {
  readonly #client: ExecServerClient;
  readonly #cwd: string;
  /** In the order of their starts. */
  readonly #running = new Map<number, Running>();
  #starting = 0;
  #sessions = 0;
  #shell: Promise<string> | undefined;

  constructor(client: ExecServerClient, { cwd }: { readonly cwd: string }) {
    this.#client = client;
    this.#cwd = cwd;
  }

  async run(input: Fields, context: ToolContext): Promise<unknown> {
    const wait = waitOf(input);
    const remote = await this.#start(input);
    this.#sessions += 1;
    const id = this.#sessions;
    this.#running.set(id, { remote, seq: 0, bytes: 0 });
    try {
      return await this.#wait(id, wait, context.signal);
    } catch (error) {
      // The cell is over: nobody knows the session.
      this.#running.delete(id);
      await remote.terminate().catch(() => {});
      throw error;
    }
  }

  /** Counted before anything is awaited: calls come side by side. */
  async #start(input: Fields): Promise<RemoteProcess> {
    this.#makeRoom();
    this.#starting += 1;
    try {
      const shell = input.optionalText('shell') ?? (await this.#defaultShell());
      const tty = input.flag('tty');
      const workdir = absolutePath(this.#cwd, input.optionalText('workdir') ?? '.');
      const starting = this.#client.start({
        argv: [shell, input.flag('login') ? '-lc' : '-c', input.text('cmd')],
        cwd: workdir,
        env: { PAGER: 'cat', GIT_PAGER: 'cat', TERM: tty ? 'xterm-256color' : 'dumb', ...input.texts('env') },
        // The environment of the server, but for what looks like a secret.
        envPolicy: { inherit: 'all', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] },
        tty,
        pipeStdin: input.flag('stdin'),
        // It is only read from: what nobody iterates over would be kept for ever.
        events: false,
        // Not given up half-way: a process that was started must be known, to be ended.
      });
      const look = (path: string) => this.#client.fs.getMetadata(path, { timeoutMs: LOOK_MS });
      return await starting.catch(async (error: unknown) => {
        throw await startFailure(error, { shell, workdir, look });
      });
    } finally {
      this.#starting -= 1;
    }
  }

  /** Commands that have ended without anybody asking for the rest of their output give way, the oldest first. */
  #makeRoom(): void {
    for (const [id, { remote }] of this.#running) {
      if (this.#running.size + this.#starting < MAX_SESSIONS) return;
      if (remote.exited) this.#running.delete(id);
    }
    if (this.#running.size + this.#starting >= MAX_SESSIONS) throw refused(tooManyCommandsText(MAX_SESSIONS));
  }

  async writeStdin(input: Fields, { signal }: ToolContext): Promise<unknown> {
    const id = input.integer('session_id', { initial: -1 });
    const running = this.#running.get(id);
    if (running === undefined) throw refused(noCommandText(id));
    const { remote } = running;
    const wait = waitOf(input);
    const chars = input.optionalText('chars') ?? '';
    if (input.flag('terminate')) await remote.terminate({ signal });
    else if (chars !== '' || input.flag('eof')) {
      const status = await remote.write(chars, { eof: input.flag('eof'), signal });
      if (status === 'unknownProcess') throw this.#forgotten(id);
      if (status !== 'accepted' && chars === '\u0003') await remote.interrupt({ signal });
      else if (status !== 'accepted') {
        throw refused(noInputText(id, status));
      }
    }
    return await this.#wait(id, wait, signal);
  }

  /** Asked once, and again after a failure. */
  async #defaultShell(): Promise<string> {
    this.#shell ??= this.#client.environmentInfo().then(({ shell }) => shell?.path ?? '/bin/sh');
    const asked = this.#shell;
    try {
      return await asked;
    } catch (error) {
      if (this.#shell === asked) this.#shell = undefined;
      throw error;
    }
  }

  /** The server keeps what has ended for a while only. */
  #forgotten(id: number): CodemodeError {
    this.#running.delete(id);
    return refused(forgottenCommandText(id));
  }

  /** What a command prints until its end, or until the time is over. */
  async #wait(id: number, { yieldMs, outputBytes }: Wait, signal: AbortSignal): Promise<unknown> {
    const running = this.#running.get(id);
    if (running === undefined) throw refused(noCommandText(id));
    const began = performance.now();
    const held = new HeldOutput(outputBytes);
    let end = began + yieldMs;
    let lastPages = LAST_PAGES;
    let page: ProcessOutput;
    for (;;) {
      const waitMs = Math.max(0, Math.ceil(end - performance.now()));
      const query = { afterSeq: running.seq, maxBytes: PAGE_BYTES, waitMs, signal };
      page = await running.remote.read(query).catch((error: unknown) => {
        throw isUnknown(error) ? this.#forgotten(id) : error;
      });
      take(running, page, held);
      // What it has left in the background may hold its output open for ever, or print without a pause.
      if (page.exited) end = Math.min(end, performance.now() + LAST_OUTPUT_MS);
      if (page.exited && waitMs === 0) lastPages -= 1;
      if (page.chunks.length > 0 && (waitMs > 0 || (page.exited && lastPages > 0))) continue;
      if (page.closed === true || waitMs === 0) break;
    }
    if (page.exited) this.#running.delete(id);
    return {
      output: held.text(),
      total_bytes: held.total,
      omitted_bytes: held.omitted,
      exit_code: page.exited ? (page.exitCode ?? null) : null,
      ...(page.exited ? {} : { session_id: id }),
      wall_time_seconds: Math.round(performance.now() - began) / 1_000,
    };
  }
}

/** There is one process of ours that a read can not know. */
const isUnknown = (error: unknown): boolean =>
  error instanceof CodemodeError && error.code === 'operation-failed' && error.data.code === rpcCodes.invalidRequest;

function take(running: Running, page: ProcessOutput, held: HeldOutput): void {
  if (page.truncated === true && page.droppedBytes !== undefined) {
    const lost = Math.max(0, page.droppedBytes - running.bytes);
    held.skip(lost);
    running.bytes += lost;
  }
  for (const { bytes } of page.chunks) {
    held.add(bytes);
    running.bytes += bytes.length;
  }
  running.seq = Math.max(running.seq, page.nextSeq - 1);
}
