import { CodemodeError } from '../errors.js';
import type { ToolDefinition, ToolKind } from '../protocol/message.js';
import type { Delegate, Hold } from '../supervisor/host.js';
import { CallCounts, CallsInFlight, DEFAULT_CALLS_IN_FLIGHT, DEFAULT_CALLS_PER_CELL } from './call-limits.js';
import { InputCheck } from './input-validation.js';
import {
  duplicateToolText,
  inputProblemsText,
  notAllowedText,
  objectExpectedText,
  stringExpectedText,
  toolboxFieldText,
  unknownLimitText,
  unknownToolText,
} from './messages.js';
import { callableNames } from './names.js';
import type { Tool, ToolProgress } from './tool.js';
import { definitionOf, type ToolEntry } from './tool-definition.js';
import { ToolFilter } from './tool-filter.js';
import { checkHooks, runHooked, type ToolHooks } from './tool-hooks.js';

export type { ToolEntry } from './tool-definition.js';

/** A call as the supervisor hands it to its delegate. */
export interface ToolRequest {
  readonly cellId: string;
  readonly callId: string;
  readonly name: string;
  readonly namespace: string | null;
  readonly input: unknown;
}

export interface InvokeContext {
  /** Aborted when nobody wants the answer any more. */
  readonly signal: AbortSignal;
  /** Keeps the cell's clock still; a delegate gets it from its session. */
  readonly hold?: Hold | undefined;
  /** Hears of the call's progress until it has ended. */
  readonly progress?: ((progress: ToolProgress) => void) | undefined;
  /** Cell ids are a session's own: without it, cells of two sessions are counted as one. */
  readonly sessionId?: string | undefined;
}

export interface ToolboxOptions {
  /** Globs over names, a tool's own or the one in cells. Without it all tools are offered. */
  readonly allow?: readonly string[];
  /** Wins over `allow`. What is not offered is unknown to cells, and refused when it is called all the same. */
  readonly deny?: readonly string[];
  readonly onToolCall?: ToolHooks;
  readonly limits?: {
    /** Tool calls that one cell may make. Default: 10,000. `Infinity` for no limit. */
    readonly callsPerCell?: number;
    /** Handlers at once, over all cells and sessions of this toolbox; more calls wait, in order. Default: 256. */
    readonly callsInFlight?: number;
  };
}

export interface ToolboxDelegateOptions {
  readonly onProgress?: (call: ToolRequest, progress: ToolProgress) => void;
}

/** A tool with what belongs to its calls. */
interface Offered extends ToolEntry {
  readonly check: InputCheck;
}

const limitNames = ['callsPerCell', 'callsInFlight'];

/** The tools of a session: what the host is told about them, and the way from a call to its handler. */
export class Toolbox {
  /** The tools that are offered, in order. */
  readonly entries: readonly ToolEntry[];
  readonly definitions: readonly ToolDefinition[];
  /** Globs of `allow` and `deny` that mean no tool: perhaps misspelt. */
  readonly unusedGlobs: readonly string[];
  readonly #offered: ReadonlyMap<string, Offered>;
  readonly #denied: ReadonlySet<string>;
  readonly #hooks: ToolHooks | undefined;
  readonly #counts: CallCounts;
  readonly #inFlight: CallsInFlight;

  /** Throws `invalid-argument` for a tool, or an option, that is none. */
  constructor(tools: readonly Tool[], options: ToolboxOptions = {}) {
    const { limits = {}, onToolCall } = options;
    const strange = Object.keys(limits).find((name) => !limitNames.includes(name));
    if (strange !== undefined) throw new CodemodeError('invalid-argument', unknownLimitText(strange, limitNames));
    if (onToolCall !== undefined) checkHooks(onToolCall);
    this.#hooks = onToolCall;
    this.#counts = new CallCounts(limits.callsPerCell ?? DEFAULT_CALLS_PER_CELL);
    this.#inFlight = new CallsInFlight(limits.callsInFlight ?? DEFAULT_CALLS_IN_FLIGHT);
    const names = checkedNames(tools);
    // Names do not depend on the policy: what a cell calls a tool stays when another one is denied.
    const properties = callableNames(names);
    const all = tools.map((tool) => offeredOf(tool, properties.get(tool.name) ?? tool.name));
    const filter = new ToolFilter(options);
    const named = all.map(({ tool: { name }, property }) => ({ name, property }));
    this.unusedGlobs = filter.unused(named);
    const offered = all.filter((_, index) => filter.offers(named[index] ?? { name: '', property: '' }));
    this.#offered = new Map(offered.map((entry) => [entry.tool.name, entry]));
    this.#denied = new Set(names.filter((name) => !this.#offered.has(name)));
    this.entries = offered;
    this.definitions = offered.map(definitionOf);
  }

  /** The handler's answer; what is thrown becomes the rejection that the cell sees. */
  async invoke(call: ToolRequest, context: InvokeContext): Promise<unknown> {
    const { cellId, callId } = call;
    const { signal, sessionId, hold } = context;
    signal.throwIfAborted();
    const entry = this.#find(call);
    const { tool, property } = entry;
    this.#counts.add(cellKey(cellId, sessionId), tool.name);
    const input = checkedKind(tool, call.input);
    const run = (wanted: unknown): Promise<unknown> => this.#run(entry, wanted, call, context);
    if (this.#hooks === undefined) return await run(input);
    const session = sessionId === undefined ? {} : { sessionId };
    const hooked = { name: tool.name, property, ...session, cellId, callId, input };
    return await runHooked(this.#hooks, hooked, { signal, hold }, (changed) => run(checkedKind(tool, changed)));
  }

  /** A cell is over: its calls need not be counted any more. */
  cellClosed(cellId: string, { sessionId }: { readonly sessionId?: string | undefined } = {}): void {
    this.#counts.forget(cellKey(cellId, sessionId));
  }

  /** A delegate for `openSession` that answers calls from this toolbox; several sessions may share it. */
  delegate({ onProgress }: ToolboxDelegateOptions = {}): Required<Pick<Delegate, 'invokeTool' | 'cellClosed'>> {
    return {
      invokeTool: (call, context) =>
        this.invoke(
          call,
          onProgress === undefined ? context : { ...context, progress: (told) => onProgress(call, told) },
        ),
      cellClosed: (cellId, context) => this.cellClosed(cellId, context),
    };
  }

  #find({ name, namespace }: ToolRequest): Offered {
    const fullName = `${namespace ?? ''}${name}`;
    const entry = namespace === null ? this.#offered.get(name) : undefined;
    if (entry !== undefined) return entry;
    const denied = namespace === null && this.#denied.has(name);
    throw refused(denied ? notAllowedText(name) : unknownToolText(fullName), fullName);
  }

  async #run({ tool, check }: Offered, input: unknown, call: ToolRequest, context: InvokeContext): Promise<unknown> {
    const fitting = typeof input === 'object' && input !== null ? await fitted(check, input, tool.name) : input;
    const { signal } = context;
    const leave = await this.#inFlight.enter(signal);
    const progress = toldWhile(context.progress);
    try {
      return await tool.handler(fitting, {
        signal,
        cellId: call.cellId,
        callId: call.callId,
        ...(progress === undefined ? {} : { progress: progress.tell }),
      });
    } finally {
      progress?.stop();
      leave();
    }
  }
}

const cellKey = (cellId: string, sessionId: string | undefined): string => JSON.stringify([sessionId ?? '', cellId]);

function offeredOf(tool: Tool, property: string): Offered {
  const check = new InputCheck(tool.inputSchema);
  return {
    tool,
    property,
    check,
    get unchecked() {
      return check.unchecked;
    },
  };
}

async function fitted(check: InputCheck, input: object, name: string): Promise<object> {
  const { input: fitting, problems } = await check.fit(input);
  if (problems.length > 0) throw refused(inputProblemsText(name, problems), name);
  return fitting;
}

/** A listener's fault is not the tool's, and a call that has ended makes no progress. */
function toldWhile(listener: InvokeContext['progress']) {
  if (listener === undefined) return undefined;
  let open = true;
  return {
    tell: (progress: ToolProgress): void => {
      try {
        if (open) listener(progress);
      } catch {}
    },
    stop: (): void => {
      open = false;
    },
  };
}

function checkedKind({ kind = 'function', name }: { kind?: ToolKind; name: string }, input: unknown): unknown {
  if (kind === 'freeform') {
    if (typeof input !== 'string') throw refused(stringExpectedText(name), name);
    return input;
  }
  if (input === null || input === undefined) return {};
  if (typeof input !== 'object' || Array.isArray(input)) throw refused(objectExpectedText(name), name);
  return input;
}

/** The names of the tools. Throws for what is no tool, and for a name that comes twice. */
function checkedNames(tools: readonly Tool[]): string[] {
  const names = new Set<string>();
  for (const tool of tools) {
    const wrong = defectOf(tool);
    if (wrong !== undefined) throw new CodemodeError('invalid-argument', wrong, { data: { tool: tool?.name } });
    if (names.has(tool.name)) throw refused(duplicateToolText(tool.name, 'this toolbox', 'toolbox'), tool.name);
    names.add(tool.name);
  }
  return [...names];
}

/** What keeps a tool that was made by hand from being one. */
function defectOf(tool: Tool): string | undefined {
  const { name, description, inputSchema, handler } = (tool ?? {}) as { readonly [field in keyof Tool]?: unknown };
  if (typeof name !== 'string' || name === '') return toolboxFieldText('a tool', 'name', 'a non-empty string', name);
  if (typeof description !== 'string') return toolboxFieldText(name, 'description', 'a string', description);
  if (typeof inputSchema !== 'boolean' && (typeof inputSchema !== 'object' || inputSchema === null)) {
    return toolboxFieldText(name, 'inputSchema', 'a JSON Schema (an object or a boolean)', inputSchema);
  }
  return typeof handler === 'function' ? undefined : toolboxFieldText(name, 'handler', 'a function', handler);
}

const refused = (message: string, tool: string): CodemodeError =>
  new CodemodeError('invalid-argument', message, { data: { tool } });
