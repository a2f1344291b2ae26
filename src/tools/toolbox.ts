import { CodemodeError } from '../errors.js';
import { checkOptionNames } from '../names/option-names.js';
import type { ToolDefinition } from '../protocol/message.js';
import type { Delegate, DelegateContext } from '../supervisor/host.js';
import { CallCounts, CallsInFlight, DEFAULT_CALLS_IN_FLIGHT, DEFAULT_CALLS_PER_CELL } from './call-limits.js';
import { InputCheck } from './input/check.js';
import {
  inputProblemsText,
  leftOutText,
  notACallText,
  notAllowedText,
  notToolsText,
  objectExpectedText,
  sameNameText,
  stringExpectedText,
  toolDefectText,
  uncheckedText,
  unknownToolText,
} from './messages.js';
import { type Defect, toolDefect } from './module/tool-defect.js';
import { callableNames } from './names.js';
import { isToolSearch, SEARCH_NAME, toolSearch } from './search/tool-search.js';
import type { Tool, ToolProgress } from './tool.js';
import { definitionOf, type ToolEntry } from './tool-entry.js';
import { ToolFilter } from './tool-filter.js';
import { runHooked, type ToolHooks } from './tool-hooks.js';
import { originOf } from './tool-origin.js';
import { checkToolboxOptions, type ToolboxOptions } from './toolbox-options.js';

export type { ToolEntry } from './tool-entry.js';
export type { ToolboxOptions } from './toolbox-options.js';

/** A call as the supervisor hands it to its delegate. */
export interface ToolRequest {
  readonly cellId: string;
  readonly callId: string;
  /** The tool's own name, not that in cells. */
  readonly name: string;
  /** Tools of a toolbox have none: null. */
  readonly namespace: string | null;
  readonly input: unknown;
}

/** A delegate gets all but `progress` from its session. Without a session, cells of two sessions are counted as one. */
export interface InvokeContext extends DelegateContext {
  /** Hears of the call's progress until it has ended. */
  readonly progress?: ((progress: ToolProgress) => void) | undefined;
}

export interface ToolboxDelegateOptions {
  /** Hears of the progress of every call until it has ended; what it throws is dropped. */
  readonly onProgress?: ((call: ToolRequest, progress: ToolProgress) => void) | undefined;
}

/** A tool with what belongs to its calls. */
interface Offered extends ToolEntry {
  readonly check: InputCheck;
}

/** The tools of a session: what the host is told about them, and the way from a call to its handler. */
export class Toolbox {
  /** The tools that are offered, in order. */
  readonly entries: readonly ToolEntry[];
  readonly definitions: readonly ToolDefinition[];
  /** Globs of `allow` and `deny` that mean no tool: perhaps misspelt. */
  readonly unusedGlobs: readonly string[];
  /** What cells call the tool by that finds others: one that `search` has added, or `toolSearch` has made. */
  readonly searchName: string | undefined;
  readonly #offered: ReadonlyMap<string, Offered>;
  readonly #denied: ReadonlySet<string>;
  readonly #hooks: ToolHooks | undefined;
  readonly #onWarning: ToolboxOptions['onWarning'];
  readonly #warned = new Set<string>();
  readonly #counts: CallCounts;
  readonly #inFlight: CallsInFlight;

  /** Throws `invalid-argument` for a tool, or an option, that is none. */
  constructor(tools: readonly Tool[], options: ToolboxOptions = {}) {
    checkToolboxOptions(options);
    const { limits = {}, onToolCall, search = false, onWarning } = options;
    this.#hooks = onToolCall;
    this.#onWarning = onWarning;
    this.#counts = new CallCounts(limits.callsPerCell ?? DEFAULT_CALLS_PER_CELL);
    this.#inFlight = new CallsInFlight(limits.callsInFlight ?? DEFAULT_CALLS_IN_FLIGHT);
    const given = checkedNames(tools);
    const added = search && tools.length > 0 && !given.includes(SEARCH_NAME) ? [toolSearch(() => this.entries)] : [];
    const names = [...given, ...added.map(({ name }) => name)];
    // Names do not depend on the policy: what a cell calls a tool stays when another one is denied.
    const properties = callableNames(names);
    const all = [...tools, ...added].map((tool) => offeredOf(tool, properties.get(tool.name) ?? tool.name));
    const filter = new ToolFilter(options);
    this.unusedGlobs = filter.unused(all.map(namedOf));
    const offered = all.filter((entry) =>
      added.includes(entry.tool) ? !filter.denies(namedOf(entry)) : filter.offers(namedOf(entry)),
    );
    this.#offered = new Map(offered.map((entry) => [entry.tool.name, entry]));
    this.#denied = new Set(names.filter((name) => !this.#offered.has(name)));
    this.entries = offered;
    this.searchName = offered.find(({ tool }) => isToolSearch(tool))?.property;
    this.definitions = offered.map((entry) => this.#defined(entry));
  }

  /** The handler's answer; what is thrown becomes the rejection that the cell sees. */
  async invoke(call: ToolRequest, context: InvokeContext): Promise<unknown> {
    checkCall(call, context);
    const { cellId, callId } = call;
    const { signal, sessionId, hold } = context;
    signal.throwIfAborted();
    const entry = this.#find(call);
    const { tool, property } = entry;
    this.#counts.add(cellKey(cellId, context), tool.name);
    const input = checkedKind(tool, call.input);
    const run = (wanted: unknown): Promise<unknown> => this.#run(entry, wanted, call, context);
    if (this.#hooks === undefined) return await run(input);
    const session = sessionId === undefined ? {} : { sessionId };
    const hooked = { name: tool.name, property, ...session, cellId, callId, input };
    return await runHooked(this.#hooks, hooked, { signal, hold }, (changed) => run(checkedKind(tool, changed)));
  }

  /** A cell is over: its calls need not be counted any more. */
  cellClosed(cellId: string, session: SessionNames = {}): void {
    this.#counts.forget(cellKey(cellId, session));
  }

  /** A delegate for `openSession` that answers calls from this toolbox; several sessions may share it. */
  delegate(options: ToolboxDelegateOptions = {}): Required<Pick<Delegate, 'invokeTool' | 'cellClosed'>> {
    checkOptionNames('delegate', options, { onProgress: true });
    const { onProgress } = options;
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

  #defined(entry: Offered): ToolDefinition {
    const { definition, leftOut } = definitionOf(entry);
    for (const { field, reason } of leftOut) this.#warn(leftOutText(entry.tool.name, field, reason));
    return definition;
  }

  /** Once: what is wrong with a tool stays wrong. */
  #warn(text: string): void {
    if (this.#onWarning === undefined || this.#warned.has(text)) return;
    this.#warned.add(text);
    try {
      this.#onWarning(text);
    } catch {
      // A listener's fault is neither the tool's nor the call's.
    }
  }

  async #run({ tool, check }: Offered, input: unknown, call: ToolRequest, context: InvokeContext): Promise<unknown> {
    const fitting = typeof input === 'object' && input !== null ? await fitted(check, input, tool.name) : input;
    if (check.unchecked !== undefined) this.#warn(uncheckedText(tool.name, check.unchecked));
    const { signal, sessionId } = context;
    const leave = await this.#inFlight.enter(signal);
    const progress = toldWhile(context.progress);
    try {
      return await tool.handler(fitting, {
        signal,
        ...(sessionId === undefined ? {} : { sessionId }),
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

type SessionNames = Pick<DelegateContext, 'sessionId' | 'sessionKey'>;

/** Cell ids are a session's own, and session ids a host's own. */
const cellKey = (cellId: string, { sessionId = '', sessionKey = '' }: SessionNames): string =>
  JSON.stringify([sessionKey === '' ? sessionId : '', sessionKey, cellId]);

const namedOf = ({ tool: { name }, property }: ToolEntry): { name: string; property: string } => ({ name, property });

/** From a program without types a forgotten signal would be an error somewhere inside. */
function checkCall(call: unknown, context: unknown): void {
  const { name, cellId } = Object(call) as { readonly [field in keyof ToolRequest]?: unknown };
  const { signal } = Object(context) as { readonly signal?: { readonly throwIfAborted?: unknown } };
  if (typeof name === 'string' && typeof cellId === 'string' && typeof signal?.throwIfAborted === 'function') return;
  throw new CodemodeError('invalid-argument', notACallText);
}

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

function checkedKind({ kind = 'function', name }: Tool, input: unknown): unknown {
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
  if (!Array.isArray(tools)) throw new CodemodeError('invalid-argument', notToolsText(tools));
  const known = new Map<string, Tool>();
  for (const [index, tool] of tools.entries()) {
    const wrong = toolDefect(tool);
    if (wrong !== undefined) throw defective(tool, index, wrong);
    const first = known.get(tool.name);
    if (first !== undefined) throw refused(sameNameText(tool.name, originOf(first), originOf(tool)), tool.name);
    known.set(tool.name, tool);
  }
  return [...known.keys()];
}

function defective(tool: unknown, index: number, defect: Defect): CodemodeError {
  const name = defect.field === null || defect.field === 'name' ? undefined : (tool as Tool).name;
  const place = name === undefined ? `tools[${index}]` : `tool ${JSON.stringify(name)}`;
  return new CodemodeError('invalid-argument', toolDefectText(place, defect), {
    data: { tool: name ?? null, field: defect.field },
  });
}

const refused = (message: string, tool: string): CodemodeError =>
  new CodemodeError('invalid-argument', message, { data: { tool } });
