import { flagWords, isCount, isFlag, isText, isTexts, maybeArgument, needArgument } from '../../names/argument.js';
import { checkOptionNames, type OptionNames } from '../../names/option-names.js';
import { isRecord } from '../../protocol/guard.js';

export interface ExecServerOptions {
  /** Of this program: what a policy lets children inherit, and what `environment/info` tells. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What `environment/info` says as `executorVersion`. */
  readonly version: string;
  /** Asked for in `initialize`, in addition to what the transport asks for; not empty. Default: none is asked for. */
  readonly authToken?: string | undefined;
  /** Whether absolute paths are taken where a file URI is expected. Default: no. */
  readonly acceptNativePaths?: boolean | undefined;
  /**
   * How long (ms) the processes of a lost connection go on, where its client may come back. 0: they end with it. Default:
   * 80,000.
   */
  readonly detachedTtlMs?: number | undefined;
  /** Requests of one connection under way at once, from 1. Default: as many as come, up to 1,024. */
  readonly concurrentRequests?: number | undefined;
  /**
   * Whether children get a mark by which they are found again: a variable in an environment that we make, a limit of file
   * locks where it was given in full. Default: yes.
   */
  readonly markProcesses?: boolean | undefined;
}

const known: OptionNames<ExecServerOptions> = {
  environment: true,
  version: true,
  authToken: true,
  acceptNativePaths: true,
  detachedTtlMs: true,
  concurrentRequests: true,
  markProcesses: true,
};

const CALL = 'ExecServer';

const isEnvironment = (value: unknown): boolean =>
  isRecord(value) && isTexts(Object.values(value).filter((one) => one !== undefined));
const isToken = (value: unknown): boolean => isText(value) && value !== '';
const isTime = (value: unknown): boolean => typeof value === 'number' && value >= 0;
const isPlaces = (value: unknown): boolean => isCount(value) && value !== 0;

/** Throws `invalid-argument` for what is missing, misspelt or of another kind: a token that is overlooked would be none. */
export function checkServerOptions(options: ExecServerOptions): void {
  checkOptionNames(CALL, options, known);
  needArgument(CALL, 'environment', options.environment, isEnvironment, 'an object of strings, such as process.env');
  needArgument(CALL, 'version', options.version, isText, 'a string');
  maybeArgument(CALL, 'authToken', options.authToken, isToken, 'a string that is not empty');
  maybeArgument(CALL, 'acceptNativePaths', options.acceptNativePaths, isFlag, flagWords);
  maybeArgument(CALL, 'detachedTtlMs', options.detachedTtlMs, isTime, 'a number of ms, or 0');
  maybeArgument(CALL, 'concurrentRequests', options.concurrentRequests, isPlaces, 'a whole number of at least 1');
  maybeArgument(CALL, 'markProcesses', options.markProcesses, isFlag, flagWords);
}
