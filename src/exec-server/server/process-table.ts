import {
  ENDED_PROCESS_MS,
  fromBase64,
  PTY_COLUMNS,
  PTY_ROWS,
  type ReadParams,
  type ReadResult,
  type ResizeParams,
  RpcError,
  rpcCodes,
  type StartParams,
  type TerminateParams,
  type WriteParams,
  type WriteStatus,
} from '../wire/index.js';
import { ExecProcess } from './exec-process.js';
import type { Reserve } from './files.js';
import type { LaunchedProcess } from './launch.js';
import type { Launcher } from './launcher.js';
import { Leftovers } from './leftovers.js';
import {
  duplicateProcessText,
  emptyArgvText,
  emptyWriteIdText,
  longProcessIdText,
  longWriteIdText,
  managedNetworkText,
  notTerminalText,
  stdinFullText,
  tooManyProcessesText,
  unknownProcessText,
} from './messages.js';
import { cwdFromUri } from './path-uri.js';
import { refuseSandbox } from './sandbox.js';
import { untilRead, type WriteWait } from './stdin-wait.js';
import type { StdinWriter } from './stdin-writer.js';
import type { Tree } from './tree-keeper.js';

const MAX_ID_BYTES = 256;

export interface ProcessLimits {
  readonly running: number;
  /** Of those that have ended, and of what their output takes. */
  readonly ended: number;
  readonly endedBytes: number;
  /** Above this an accepted write is not answered before the child has read some. */
  readonly stdinHighBytes: number;
  /** More than this is never kept for one. */
  readonly stdinBytes: number;
  /** Of all together: when there would be more, no more than `stdinHighBytes` is kept for one. */
  readonly allStdinBytes: number;
  /** A write of so much is always taken for a child that has no more than `stdinHighBytes` to read. */
  readonly stdinWriteBytes: number;
  /** In ms: who has read nothing for so long is not waited for when others wait. */
  readonly stdinQuietMs: number;
}

const processLimits: ProcessLimits = {
  running: 1_024,
  ended: 1_024,
  endedBytes: 64 * 1_048_576,
  stdinHighBytes: 8 * 1_048_576,
  stdinBytes: 64 * 1_048_576,
  allStdinBytes: 256 * 1_048_576,
  stdinWriteBytes: 1_048_576,
  stdinQuietMs: 1_000,
};

export type Send = (method: string, params: unknown) => void;

/** The processes of one session, by the ids that the client has given them. */
export class ProcessTable {
  readonly #launcher: Launcher;
  readonly #send: Send;
  readonly #limits: ProcessLimits;
  readonly #processes = new Map<string, ExecProcess>();
  readonly #starting = new Set<string>();
  /** In the order of their ends. */
  readonly #ended = new Map<ExecProcess, NodeJS.Timeout>();
  readonly #leftovers: Leftovers;
  #paused = false;
  #over = false;

  constructor(launcher: Launcher, send: Send, limits: Partial<ProcessLimits> = {}) {
    this.#launcher = launcher;
    this.#send = send;
    this.#leftovers = new Leftovers(launcher.keeper);
    this.#limits = { ...processLimits, ...limits };
  }

  /** Its events flow when it is announced, which is to be done when the answer is on its way. */
  async start(params: StartParams): Promise<ExecProcess> {
    const { processId: id, argv } = params;
    const cwd = cwdFromUri(params.cwd, this.#launcher.paths);
    refuseSandbox(params.sandbox);
    if (params.enforceManagedNetwork === true || (params.managedNetwork ?? null) !== null) {
      throw invalid(managedNetworkText);
    }
    if (argv.length === 0) throw invalid(emptyArgvText);
    if (Buffer.byteLength(id) > MAX_ID_BYTES) throw invalid(longProcessIdText(MAX_ID_BYTES));
    if (this.#processes.has(id) || this.#starting.has(id)) {
      throw new RpcError(rpcCodes.invalidRequest, duplicateProcessText(id), { kind: 'processExists' });
    }
    if (this.#processes.size - this.#ended.size + this.#starting.size >= this.#limits.running) {
      throw new RpcError(rpcCodes.invalidRequest, tooManyProcessesText(this.#limits.running));
    }
    this.#starting.add(id);
    const launching = this.#launcher.launch({
      argv,
      cwd,
      env: params.env,
      envPolicy: params.envPolicy,
      arg0: params.arg0 ?? undefined,
      tty: params.tty,
      pipeStdin: params.pipeStdin === true,
      rows: params.rows ?? PTY_ROWS,
      columns: params.cols ?? PTY_COLUMNS,
    });
    try {
      return this.#add(id, await launching);
    } finally {
      this.#starting.delete(id);
    }
  }

  async read(params: ReadParams, signals: readonly AbortSignal[], reserve: Reserve): Promise<ReadResult> {
    const found = this.#processes.get(params.processId);
    if (found === undefined) throw unknownProcess(params.processId);
    const query = {
      afterSeq: params.afterSeq ?? 0,
      maxBytes: params.maxBytes ?? undefined,
      waitMs: params.waitMs ?? 0,
    };
    return await found.read(query, signals, reserve);
  }

  /** Takes the bytes at once, so that their order is that of the requests; only the answer may wait for the child. */
  async write(params: WriteParams, wait: WriteWait): Promise<WriteStatus> {
    const bytes = decoded(params.chunk);
    if (params.writeId === '') throw invalid(emptyWriteIdText);
    if (Buffer.byteLength(params.writeId) > MAX_ID_BYTES) throw invalid(longWriteIdText(MAX_ID_BYTES));
    const found = this.#processes.get(params.processId);
    if (found === undefined) return 'unknownProcess';
    // A repetition is answered as the first was, also when that was the last that could be written.
    if (found.writeIds.has(params.writeId)) return 'accepted';
    const { stdin } = found;
    if (stdin === undefined || stdin.closed || !found.running) return 'stdinClosed';
    this.#refuseFull(found.id, stdin, bytes.length + (params.eof === true ? stdin.endBytes : 0));
    found.writeIds.add(params.writeId);
    stdin.write(bytes);
    if (params.eof === true) stdin.end();
    const { stdinHighBytes: highBytes, stdinQuietMs: quietMs } = this.#limits;
    await untilRead(stdin, { highBytes, quietMs }, wait);
    return 'accepted';
  }

  terminate({ processId, graceMs }: TerminateParams): boolean {
    return this.#processes.get(processId)?.terminate(graceMs ?? undefined) ?? false;
  }

  interrupt(processId: string): void {
    this.#processes.get(processId)?.interrupt();
  }

  resize({ processId, rows, cols }: ResizeParams): void {
    const found = this.#processes.get(processId);
    if (found === undefined) throw unknownProcess(processId);
    if (found.resize === undefined) throw new RpcError(rpcCodes.invalidRequest, notTerminalText(processId));
    found.resize(rows, cols);
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    for (const one of this.#processes.values()) one.setPaused(paused);
  }

  /** Kills everything, and forgets it. */
  end(): void {
    this.#over = true;
    for (const timer of this.#ended.values()) clearTimeout(timer);
    const processes = [...this.#processes.values()];
    const trees = [...processes.map(({ tree }) => tree), ...this.#leftovers.release()];
    if (trees.length > 0) this.#launcher.keeper.end(trees);
    for (const one of processes) one.end();
    this.#processes.clear();
    this.#ended.clear();
  }

  #add(id: string, { launched, tree }: { launched: LaunchedProcess; tree: Tree }): ExecProcess {
    const { keeper } = this.#launcher;
    const added: ExecProcess = new ExecProcess(id, launched, tree, keeper, {
      send: this.#send,
      closed: () => this.#keepForAWhile(added),
    });
    added.setPaused(this.#paused);
    if (this.#over) {
      keeper.end([tree]);
      added.end();
    } else this.#processes.set(id, added);
    return added;
  }

  #refuseFull(id: string, { queuedBytes }: StdinWriter, bytes: number): void {
    const { stdinHighBytes, stdinBytes, allStdinBytes, stdinWriteBytes } = this.#limits;
    const kept = queuedBytes + bytes;
    if (bytes === 0 || kept <= stdinHighBytes || (queuedBytes <= stdinHighBytes && bytes <= stdinWriteBytes)) return;
    let all = bytes;
    for (const { stdin } of this.#processes.values()) all += stdin?.queuedBytes ?? 0;
    if (kept <= stdinBytes && all <= allStdinBytes) return;
    const limit = kept > stdinBytes ? stdinBytes : stdinHighBytes;
    throw new RpcError(rpcCodes.internal, stdinFullText(id, limit), { kind: 'stdinFull' });
  }

  #keepForAWhile(ended: ExecProcess): void {
    if (this.#over) return;
    this.#ended.set(ended, setTimeout(() => this.#forget(ended), ENDED_PROCESS_MS).unref());
    let bytes = 0;
    for (const one of this.#ended.keys()) bytes += one.heldBytes;
    for (const oldest of [...this.#ended.keys()]) {
      if (this.#ended.size <= this.#limits.ended && bytes <= this.#limits.endedBytes) break;
      bytes -= oldest.heldBytes;
      this.#forget(oldest);
    }
  }

  #forget(ended: ExecProcess): void {
    clearTimeout(this.#ended.get(ended));
    this.#ended.delete(ended);
    this.#processes.delete(ended.id);
    this.#leftovers.add(ended.tree, ended.releaseKill());
  }
}

const invalid = (message: string): RpcError => new RpcError(rpcCodes.invalidParams, message);

const unknownProcess = (id: string): RpcError => new RpcError(rpcCodes.invalidRequest, unknownProcessText(id));

function decoded(chunk: string): Buffer {
  try {
    return fromBase64(chunk);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error));
  }
}
