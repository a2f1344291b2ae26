import { countWords, isCount, isFunction, isText, maybeArgument, needArgument } from '../names/argument.js';
import { checkOptionNames, type OptionNames } from '../names/option-names.js';
import type { CellExecutionLimits } from '../protocol/index.js';
import { definitionsWords } from './messages.js';
import type { CallOptions, ExecuteOptions, SessionOptions, WaitOptions } from './session.js';

// What callers of a session hand over. All of these throw `invalid-argument`: a host ends itself, and all that runs in it,
// when it hears what is no message.

const known: OptionNames<SessionOptions> = { delegate: true, limits: true, truncateOutput: true, signal: true };
const knownLimits: OptionNames<CellExecutionLimits> = { maxYieldTimeMs: true, maxHeapSizeBytes: true };
const knownOfExecute: OptionNames<ExecuteOptions> = {
  source: true,
  tools: true,
  toolCallId: true,
  yieldTimeMs: true,
  maxOutputTokens: true,
};
const knownOfWait: OptionNames<WaitOptions> = { yieldTimeMs: true, maxOutputTokens: true };
const knownOfCall: OptionNames<CallOptions> = { signal: true };

export function checkSession(options: SessionOptions): void {
  checkOptionNames('openSession', options, known);
  const { invokeTool } = Object(options.delegate);
  needArgument('openSession', 'delegate.invokeTool', invokeTool, isFunction, 'a function');
  if (options.limits !== undefined) checkOptionNames('openSession', options.limits, knownLimits, 'limits');
}

export function checkExecute(request: ExecuteOptions, options: CallOptions): void {
  checkOptionNames('execute', request, knownOfExecute);
  checkOptionNames('execute', options, knownOfCall);
  needArgument('execute', 'source', request.source, isText, 'a string');
  maybeArgument('execute', 'tools', request.tools, Array.isArray, definitionsWords);
  maybeArgument('execute', 'maxOutputTokens', request.maxOutputTokens, isCount, countWords);
}

export function checkWait(request: WaitOptions, options: CallOptions): void {
  checkOptionNames('wait', request, knownOfWait);
  checkOptionNames('wait', options, knownOfCall);
  needArgument('wait', 'yieldTimeMs', request.yieldTimeMs, isCount, countWords);
  maybeArgument('wait', 'maxOutputTokens', request.maxOutputTokens, isCount, countWords);
}

export function checkTerminate(request: Pick<WaitOptions, 'maxOutputTokens'>, options: CallOptions): void {
  checkOptionNames('terminate', request, { maxOutputTokens: true });
  checkOptionNames('terminate', options, knownOfCall);
  maybeArgument('terminate', 'maxOutputTokens', request.maxOutputTokens, isCount, countWords);
}
