import { flagWords, isFlag, isFunction, maybeArgument } from '../names/argument.js';
import { checkOptionNames, type OptionNames } from '../names/option-names.js';
import { checkHooks, type ToolHooks } from './tool-hooks.js';

export interface ToolboxOptions {
  /** Globs over names, a tool's own or the one in cells. Without it all tools are offered. */
  readonly allow?: readonly string[] | undefined;
  /** Wins over `allow`. What is not offered is unknown to cells, and refused when it is called all the same. */
  readonly deny?: readonly string[] | undefined;
  readonly onToolCall?: ToolHooks | undefined;
  readonly limits?:
    | {
        /** Tool calls that one cell may make. Default: 10,000. `Infinity` for no limit. */
        readonly callsPerCell?: number | undefined;
        /** Handlers at once, over all cells and sessions of this toolbox; more calls wait, in order. Default: 256. */
        readonly callsInFlight?: number | undefined;
      }
    | undefined;
  /**
   * Adds `tool_search`, with which cells find the others by words, unless there are none or one has this name. `allow`
   * need not name it; `deny` may. Default: false.
   */
  readonly search?: boolean | undefined;
  /**
   * Hears of tools that work, but not as they should: their schemas cannot be used, so that their inputs are not checked,
   * or cannot be sent to a host. Once for each tool and fault, when it is noticed: at once, or with a call.
   */
  readonly onWarning?: ((text: string) => void) | undefined;
}

const CALL = 'new Toolbox';

const known: OptionNames<ToolboxOptions> = {
  allow: true,
  deny: true,
  onToolCall: true,
  limits: true,
  search: true,
  onWarning: true,
};
const knownLimits: OptionNames<NonNullable<ToolboxOptions['limits']>> = { callsPerCell: true, callsInFlight: true };

/** Throws `invalid-argument` for what is no option, or would be ignored. */
export function checkToolboxOptions(options: ToolboxOptions): void {
  checkOptionNames(CALL, options, known);
  const { limits, onToolCall, search, onWarning } = options;
  if (limits !== undefined) checkOptionNames(CALL, limits, knownLimits, 'limits');
  if (onToolCall !== undefined) checkHooks(CALL, onToolCall);
  maybeArgument(CALL, 'search', search, isFlag, flagWords);
  maybeArgument(CALL, 'onWarning', onWarning, isFunction, 'a function');
}
