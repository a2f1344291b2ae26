import { CodemodeError } from '../errors.js';
import { type Check, isFunction, maybeArgument, needArgument } from '../names/argument.js';
import { checkOptionNames, type OptionNames } from '../names/option-names.js';
import type { Hold } from '../supervisor/host.js';
import { untilAborted } from '../waiting/until-aborted.js';
import { deniedText, hookAnswerText, hookFailedText, hooksWords } from './messages.js';
import { thrownText } from './thrown-text.js';

type Awaitable<T> = T | PromiseLike<T>;

/** A call that is about to be made, or was made. */
export interface HookedCall {
  /** The tool's own name. */
  readonly name: string;
  /** `tools.<property>` in the cell. */
  readonly property: string;
  readonly sessionId?: string | undefined;
  readonly cellId: string;
  readonly callId: string;
  /** What came from the cell; after a change by `before`, what that has made of it. */
  readonly input: unknown;
}

export type HookAnswer = { readonly deny: string } | { readonly input: unknown };

export type CallOutcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown };

/** What a harness wants to do before and after each call of a tool. */
export interface ToolHooks {
  /**
   * Nothing: the call is made. `{ deny }`: it is not, and rejects in the cell with exactly this text. `{ input }`: it is
   * made with this input, which is checked against the schema like any other. What `before` throws, and an answer that is
   * none of these, denies the call. The cell's time limit stands still while this waits, so it may ask a person; the
   * signal fires when the cell has ended and nobody wants an answer any more.
   */
  before?(
    call: HookedCall,
    context: { readonly signal: AbortSignal },
  ): Awaitable<HookAnswer | undefined> | Awaitable<void>;
  /**
   * How each call ended that `before` was asked about, also one that it has denied. Awaited before the cell gets the
   * result, which it cannot change: what it throws goes to `onError`.
   */
  after?(call: HookedCall, outcome: CallOutcome, context: { readonly signal: AbortSignal }): Awaitable<void>;
  /** Hears what `after` has thrown. Without it, nobody does. */
  onError?(error: unknown, call: HookedCall): void;
}

export interface HookContext {
  readonly signal: AbortSignal;
  readonly hold?: Hold | undefined;
}

const known: OptionNames<ToolHooks> = { before: true, after: true, onError: true };

/** Throws `invalid-argument`, for `call`, for hooks that would not be called: a misspelt `before` allows everything. */
export function checkHooks(call: string, hooks: unknown): void {
  const given: { readonly [name: string]: unknown } = Object(hooks);
  // An object of a class may have fields of its own.
  if (Object.getPrototypeOf(given) === Object.prototype) checkOptionNames(call, hooks, known, 'onToolCall');
  for (const name of Object.keys(known)) {
    maybeArgument(call, `onToolCall.${name}`, given[name], isFunction, 'a function');
  }
  needArgument(call, 'onToolCall', hooks, hasHook, hooksWords);
}

const hasHook: Check = (value) =>
  typeof value === 'object' && value !== null && ['before', 'after'].some((name) => isFunction(Object(value)[name]));

/** Makes a call the way the hooks want it. `run` gets the input, changed or not. */
export async function runHooked(
  hooks: ToolHooks,
  call: HookedCall,
  context: HookContext,
  run: (input: unknown) => Promise<unknown>,
): Promise<unknown> {
  let asked = call;
  let outcome: CallOutcome;
  try {
    asked = { ...call, input: await allowedInput(hooks, call, context) };
    outcome = { ok: true, value: await run(asked.input) };
  } catch (error) {
    outcome = { ok: false, error };
  }
  await untilAborted(tell(hooks, asked, outcome, context.signal), context.signal).catch(() => undefined);
  if (outcome.ok) return outcome.value;
  throw outcome.error;
}

async function allowedInput(hooks: ToolHooks, call: HookedCall, { signal, hold }: HookContext): Promise<unknown> {
  if (hooks.before === undefined) return call.input;
  const ask = (): Promise<unknown> => untilAborted(answerOf(hooks, call, signal), signal);
  const answer = await attempt(() => (hold === undefined ? ask() : hold(ask)), call, signal);
  if (answer === undefined) return call.input;
  if (isAnswer(answer, 'deny') && typeof answer.deny === 'string') {
    throw refused(answer.deny === '' ? deniedText(call.name) : answer.deny, call);
  }
  if (isAnswer(answer, 'input')) return answer.input;
  throw refused(hookAnswerText(call.name, answer), call);
}

/** Also a throw at once is a rejection. */
async function answerOf(hooks: ToolHooks, call: HookedCall, signal: AbortSignal): Promise<unknown> {
  return await hooks.before?.(call, { signal });
}

async function attempt(ask: () => Promise<unknown>, call: HookedCall, signal: AbortSignal): Promise<unknown> {
  try {
    return await ask();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw refused(hookFailedText(call.name, thrownText(error)), call, error);
  }
}

/** An answer says one thing: one that denies and changes at once is none. */
const isAnswer = <const F extends string>(value: unknown, field: F): value is { readonly [name in F]: unknown } =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 1 && Object.hasOwn(value, field);

/** Never rejects: a good result stays one, whatever comes after it. */
async function tell(hooks: ToolHooks, call: HookedCall, outcome: CallOutcome, signal: AbortSignal): Promise<void> {
  try {
    await hooks.after?.(call, outcome, { signal });
  } catch (error) {
    try {
      hooks.onError?.(error, call);
    } catch {
      // A listener's fault must not become the call's.
    }
  }
}

const refused = (message: string, { name }: HookedCall, cause?: unknown): CodemodeError =>
  new CodemodeError('invalid-argument', message, { cause, data: { tool: name } });
