import { CodemodeError } from '../errors.js';
import { checkOptionNames, type OptionNames } from '../names/option-names.js';
import { MAX_SIGNED_32 } from '../protocol/signed-32.js';
import type { Finding } from '../source/index.js';
import type { Host, Observation } from '../supervisor/host.js';
import type { FreeformContract, FunctionContract } from '../tools/description.js';
import { answerTo, type CallFacts, interrupted, type ModelAnswer, refusal } from './answer.js';
import { CellToolboxes } from './cell-toolboxes.js';
import {
  type ContractOptions,
  checkOpenOptions,
  type OpenContractOptions,
  type ResolvedOptions,
  resolveOptions,
} from './contract-options.js';
import type { ContractSession } from './contract-session.js';
import { execOrder, wellFormed } from './exec-order.js';
import { untilInterrupted } from './interruption.js';
import { notASessionText } from './messages.js';
import { asFunction, modelTools } from './model-tools.js';
import { refusalText, refused } from './refusal.js';
import { parseWaitArguments } from './wait-arguments.js';

export interface ExecCallOptions {
  /** Interrupts the call: its cell is ended, and the answer is `terminated`, with what the cell has put out. */
  readonly signal?: AbortSignal;
  /** The ID of the model's call, which comes back with notifications. */
  readonly toolCallId?: string;
}

const known: OptionNames<ExecCallOptions> = { signal: true, toolCallId: true };

/** Errors that say why nothing came of one call; session and host go on. */
const forTheModel: readonly string[] = ['operation-failed', 'stale-cell', 'frame-too-large'];

/**
 * The tools `exec` and `wait` for a model: what to register, and the answers to its calls. Whatever the model does wrong is
 * an answer. `exec` and `wait` reject with a `CodemodeError` when it is the harness that has to know: the host was lost, or
 * cannot be started, or the session is closed. `answerForError` makes an answer of that for the model; the next `exec` starts
 * a new host.
 */
export class ExecContract implements AsyncDisposable {
  readonly #session: ContractSession;
  readonly #options: ResolvedOptions;
  /** Calls that wait for a cell. */
  readonly #waiting = new Set<{ readonly cellId: string }>();
  #toolboxes: CellToolboxes | undefined;

  /**
   * For a session of your own: open it with `truncateOutput: true`, else output has no limit, and with a delegate that
   * answers from the same toolbox. `ExecContract.open` does both.
   */
  constructor(session: ContractSession, options: ContractOptions) {
    const { execute, wait, terminate } = (session ?? {}) as Partial<Record<keyof ContractSession, unknown>>;
    if ([execute, wait, terminate].some((one) => typeof one !== 'function')) throw refused(notASessionText);
    this.#session = session;
    this.#options = resolveOptions(options);
  }

  /** Opens a session for `exec` and `wait`. Its cells call the tools of the toolbox that was there when they started. */
  static async open(host: Pick<Host, 'openSession'>, options: OpenContractOptions): Promise<ExecContract> {
    checkOpenOptions(host, options);
    const { limits, signal, onNotify, onProgress, ...ofContract } = options;
    const toolboxes = new CellToolboxes(resolveOptions(ofContract).toolbox);
    const session = await host.openSession({
      delegate: toolboxes.delegate({ onNotify, onProgress }),
      truncateOutput: true,
      ...(limits === undefined ? {} : { limits }),
      ...(signal === undefined ? {} : { signal }),
    });
    const contract = new ExecContract(session, ofContract);
    contract.#toolboxes = toolboxes;
    return contract;
  }

  /** What to register with the model now: the description of `exec` names the tools that cells have. */
  get tools(): readonly [exec: FreeformContract, wait: FunctionContract] {
    const { toolbox, maxTokens, defaults } = this.#options;
    return modelTools(toolbox(), maxTokens, defaults);
  }

  /** The same for models without freeform tools: the arguments of `exec` are `{ source }`. */
  get functionTools(): readonly [exec: FunctionContract, wait: FunctionContract] {
    const [exec, wait] = this.tools;
    return [asFunction(exec), wait];
  }

  /** Answers a call of `exec`: with the text that the model wrote, or `{ source }`. */
  async exec(input: unknown, options: ExecCallOptions = {}): Promise<ModelAnswer> {
    checkOptionNames('exec', options, known);
    const { signal, toolCallId } = options;
    const call = new Call();
    const { preflight, defaults } = this.#options;
    const toolbox = this.#options.toolbox();
    const order = await execOrder(input, toolbox, preflight).catch(refusalText);
    if (typeof order === 'string') return refusal(order);
    call.findings = order.findings;
    call.maxOutputTokens = Math.min(order.maxOutputTokens ?? defaults.maxOutputTokens, MAX_SIGNED_32);
    if (signal?.aborted === true) return interrupted(call.facts);
    try {
      const starting = this.#session.execute(
        {
          source: order.source,
          tools: toolbox.definitions,
          yieldTimeMs: Math.min(order.yieldTimeMs ?? defaults.yieldTimeMs, MAX_SIGNED_32),
          maxOutputTokens: call.maxOutputTokens,
          ...(toolCallId === undefined ? {} : { toolCallId }),
        },
        signal === undefined ? {} : { signal },
      );
      const cell = await (this.#toolboxes?.start(toolbox, starting) ?? starting);
      call.cellId = cell.id;
      return await this.#answer(call, cell.id, cell.initial, signal);
    } catch (error) {
      return failed(error, call, signal);
    }
  }

  /** Answers a call of `wait`: its arguments as an object, or as JSON text. The signal ends the cell, as with `exec`. */
  async wait(args: unknown, options: Pick<ExecCallOptions, 'signal'> = {}): Promise<ModelAnswer> {
    // A harness may hand the same options to both.
    checkOptionNames('wait', options, known);
    const { signal } = options;
    const call = new Call();
    const asked = parsedWait(args);
    if (typeof asked === 'string') return refusal(asked);
    const { defaults } = this.#options;
    const cellId = wellFormed(asked.cellId);
    call.cellId = cellId;
    call.maxOutputTokens = Math.min(asked.maxOutputTokens ?? defaults.maxOutputTokens, MAX_SIGNED_32);
    const { maxOutputTokens } = call;
    try {
      if (asked.terminate && signal?.aborted !== true) {
        const options = signal === undefined ? {} : { signal };
        return answerTo(await this.#session.terminate(cellId, { maxOutputTokens }, options), call.facts);
      }
      const yieldTimeMs = Math.min(asked.yieldTimeMs ?? defaults.yieldTimeMs, MAX_SIGNED_32);
      const pending = signal?.aborted ? null : this.#session.wait(cellId, { yieldTimeMs, maxOutputTokens });
      return await this.#answer(call, cellId, pending, signal);
    } catch (error) {
      return failed(error, call, signal);
    }
  }

  /**
   * Answers every call that waits for a cell now, with what is there, while the cells go on: for when the user has said
   * something that the model should hear. Gives back how many; none where the host cannot do it.
   */
  yieldNow(): number {
    return [...this.#waiting].filter(({ cellId }) => this.#session.yieldNow?.(cellId) === true).length;
  }

  /** Ends the session and its cells. */
  async close(): Promise<void> {
    await this.#session.shutdown?.();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #answer(
    call: Call,
    cellId: string,
    pending: Promise<Observation> | null,
    signal: AbortSignal | undefined,
  ): Promise<ModelAnswer> {
    const waiting = { cellId };
    this.#waiting.add(waiting);
    try {
      const { maxOutputTokens } = call;
      const seen = await untilInterrupted(this.#session, { cellId, pending, maxOutputTokens }, signal);
      return seen === null ? interrupted(call.facts) : answerTo(seen, call.facts);
    } finally {
      this.#waiting.delete(waiting);
    }
  }
}

/** One call while it is under way. */
class Call {
  readonly #began = performance.now();
  cellId: string | null = null;
  findings: readonly Finding[] = [];
  maxOutputTokens = 0;

  get facts(): CallFacts {
    const { cellId, findings, maxOutputTokens } = this;
    return { cellId, findings, maxOutputTokens, ms: performance.now() - this.#began };
  }
}

function parsedWait(args: unknown) {
  try {
    return parseWaitArguments(args);
  } catch (error) {
    return refusalText(error);
  }
}

function failed(error: unknown, call: Call, signal: AbortSignal | undefined): ModelAnswer {
  if (!(error instanceof CodemodeError)) throw error;
  if (error.code === 'cancelled' && signal?.aborted === true) return interrupted(call.facts);
  if (forTheModel.includes(error.code)) return refusal(error.message, call.cellId);
  throw error;
}
