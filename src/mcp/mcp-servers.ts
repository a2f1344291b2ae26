import { CodemodeError } from '../errors.js';
import { checkOptionNames, type OptionNames } from '../names/option-names.js';
import type { Tool } from '../tools/tool.js';
import { onAbort } from '../waiting/on-abort.js';
import { type ClientInfo, ownClientInfo } from './client-info.js';
import { checkConfigs } from './config-guard.js';
import { guardedEmit, type McpEvent } from './mcp-event.js';
import { McpServer } from './mcp-server.js';
import { badTimeoutText, clientInfoText, connectCancelled } from './messages.js';
import type { McpServerConfig } from './server-config.js';
import { isRecord } from './value.js';

export interface McpOptions {
  /**
   * For each server, from its start to its list of tools; also for reading that list again. Default: 10,000; `Infinity`
   * is allowed.
   */
  readonly timeoutMs?: number | undefined;
  /** Go on without the servers that fail. */
  readonly optional?: boolean | undefined;
  /** Of it, servers get what is on the allow-list; what else they get is in their `env`. Default: that of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** What we call ourselves to the servers. Default: `codemode-run` and its version. */
  readonly clientInfo?: ClientInfo | undefined;
  readonly onEvent?: ((event: McpEvent) => void) | undefined;
  /** Gives up the start; of no effect later. */
  readonly signal?: AbortSignal | undefined;
}

const known: OptionNames<McpOptions> = {
  timeoutMs: true,
  optional: true,
  environment: true,
  clientInfo: true,
  onEvent: true,
  signal: true,
};

export interface McpFailure {
  readonly server: string;
  readonly error: CodemodeError;
}

/**
 * MCP servers that run, and their tools. A call resolves with the result of MCP as it is (`{content, structuredContent?,
 * isError?, _meta?}`), also when the server answers with an error. It rejects when the server is gone; no server is
 * started again.
 */
export class McpServers implements AsyncDisposable {
  readonly #servers: readonly McpServer[];
  readonly failures: readonly McpFailure[];
  #closing: Promise<void> | undefined;

  /**
   * Starts all of them at once. Rejects with `mcp-server-failed` (the first failure; all that are known are in
   * `data.failures`), `cancelled` or `invalid-argument`, after everything that was started is gone.
   */
  static async connect(configs: readonly McpServerConfig[], options: McpOptions = {}): Promise<McpServers> {
    checkOptionNames('McpServers.connect', options, known);
    const { timeoutMs = 10_000, environment, clientInfo = ownClientInfo, signal: outer, optional = false } = options;
    check(configs, timeoutMs, clientInfo);
    const given = (): boolean => outer?.aborted === true;
    if (given()) throw connectCancelled(outer?.reason);
    const emit = guardedEmit(options.onEvent);
    const giving = new AbortController();
    const stopListening = onAbort(outer, () => giving.abort(outer?.reason));
    const failures: McpFailure[] = [];
    const start = async (config: McpServerConfig): Promise<McpServer | undefined> => {
      try {
        return await McpServer.start(config, { timeoutMs, environment, clientInfo, emit, signal: giving.signal });
      } catch (error) {
        if (!(error instanceof CodemodeError)) throw error;
        // The others are given up because of this one, and say nothing.
        if (error.code === 'cancelled') return undefined;
        failures.push({ server: config.name, error });
        emit({ type: 'failed', server: config.name, error });
        if (!optional) giving.abort(error);
        return undefined;
      }
    };
    const started = await Promise.all(configs.map(start)).finally(stopListening);
    const servers = new McpServers(
      started.filter((server) => server !== undefined),
      failures,
    );
    const [first] = failures;
    if (!given() && (first === undefined || optional)) return servers;
    await servers.close();
    throw given() || first === undefined ? connectCancelled(outer?.reason) : withAll(first.error, failures);
  }

  private constructor(servers: readonly McpServer[], failures: readonly McpFailure[]) {
    this.#servers = servers;
    this.failures = failures;
  }

  /** Those of now, in the order of the servers; `refresh` may replace them. */
  get tools(): readonly Tool[] {
    return this.#servers.flatMap(({ tools }) => tools);
  }

  /** Settles changes of lists that were announced, each within `timeoutMs`. True if `tools` differ from the last time. */
  async refresh(): Promise<boolean> {
    const changed = await Promise.all(this.#servers.map((server) => server.refresh()));
    return changed.some(Boolean);
  }

  /** Ends all servers at the same time, and takes little more than a second. Never rejects. */
  close(): Promise<void> {
    this.#closing ??= Promise.all(this.#servers.map((server) => server.close())).then(() => {});
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function check(configs: unknown, timeoutMs: unknown, clientInfo: unknown): void {
  checkConfigs(configs);
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0)) {
    throw new CodemodeError('invalid-argument', badTimeoutText(timeoutMs));
  }
  if (isRecord(clientInfo) && typeof clientInfo.name === 'string' && typeof clientInfo.version === 'string') return;
  throw new CodemodeError('invalid-argument', clientInfoText(clientInfo));
}

function withAll(first: CodemodeError, failures: readonly McpFailure[]): CodemodeError {
  const all = failures.map(({ server, error }) => ({ server, message: error.message }));
  return new CodemodeError(first.code, first.message, { cause: first.cause, data: { ...first.data, failures: all } });
}
