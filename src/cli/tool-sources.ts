import { CodemodeError } from '../errors.js';
import type { McpServers } from '../mcp/index.js';
import { loadTools } from '../tools/module/load-tools.js';
import type { Tool } from '../tools/tool.js';
import { Toolbox, type ToolboxOptions } from '../tools/toolbox.js';
import type { ToolArguments } from './arguments.js';
import type { OpenedTools } from './exec-server-tools.js';
import { unusedGlobText } from './messages.js';
import { needImportable, needReadable } from './regular-file.js';
import type { Reporter } from './reporter.js';
import type { Trace } from './trace.js';
import { version } from './version.js';

/** Who hears of servers, and of what may be a mistake. */
export interface Listeners {
  readonly reporter: Reporter;
  readonly trace: Trace;
}

export interface ToolSourcesOptions extends Listeners {
  readonly cwd: string;
  readonly limits?: ToolboxOptions['limits'];
}

/** Everything that a command line names as a source of tools: modules, MCP servers, an exec-server. */
export class ToolSources implements AsyncDisposable {
  /** All have started, or the first thing that is wrong with one of them. */
  readonly ready: Promise<void>;
  /** What can be given up is there, or given up. A module cannot: it may be loading for ever. */
  readonly #started: Promise<unknown>;
  readonly #args: ToolArguments;
  readonly #options: ToolSourcesOptions;
  readonly #abort = new AbortController();
  #modules: readonly Tool[] = [];
  #mcp: McpServers | undefined;
  #exec: OpenedTools | undefined;
  readonly #warned = new Set<string>();
  #toolbox = new Toolbox([]);

  constructor(args: ToolArguments, options: ToolSourcesOptions) {
    this.#args = args;
    this.#options = options;
    const failures: unknown[] = [];
    const failed = (error: unknown): void => {
      failures.push(error);
      // What still starts would only be ended again.
      this.#abort.abort();
    };
    const loading = this.#loadModules().catch(failed);
    const { exec } = args;
    this.#started = Promise.all([
      this.#openMcp().catch(failed),
      exec === undefined ? undefined : this.#openExec(exec).catch(failed),
    ]);
    this.ready = this.#open([loading, this.#started], failures);
    this.ready.catch(() => {});
  }

  /** The tools as they are now. */
  get toolbox(): Toolbox {
    return this.#toolbox;
  }

  /** What cells call the tool by that finds others, when there is one. */
  get searchName(): string | undefined {
    return this.#toolbox.searchName;
  }

  /** Takes up what MCP servers have announced since. */
  async refresh(): Promise<void> {
    if ((await this.#mcp?.refresh()) === true) this.#toolbox = this.#build();
  }

  /** Nothing of what was started is left afterwards. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#started;
    await Promise.all([this.#mcp?.close(), this.#exec?.[Symbol.asyncDispose]()]);
  }

  async #open(sources: readonly Promise<unknown>[], failures: readonly unknown[]): Promise<void> {
    await Promise.all(sources);
    // What somebody can mend in the command line is more worth knowing than what came a moment earlier.
    if (failures.length > 0) throw failures.find(isMistake) ?? failures[0];
    this.#toolbox = this.#build();
    this.#warn();
  }

  /** A name that is misspelt would offer, or deny, what nobody meant. */
  #warn(): void {
    const { allowTools, denyTools } = this.#args;
    const unused = new Set(this.#toolbox.unusedGlobs);
    const given = [['--allow-tool', allowTools] as const, ['--deny-tool', denyTools] as const];
    for (const [option, globs] of given)
      for (const glob of globs) if (unused.has(glob)) this.#options.reporter.warning(unusedGlobText(option, glob));
  }

  async #loadModules(): Promise<void> {
    const { tools } = this.#args;
    const { cwd } = this.#options;
    await needImportable('--tools', tools, cwd);
    this.#modules = await loadTools(tools, { cwd });
  }

  /** Loaded late, like the exec-server below: most runs have no use for it. */
  async #openMcp(): Promise<void> {
    const { mcp, mcpTimeoutMs, mcpOptional } = this.#args;
    if (mcp.length === 0) return;
    const { loadMcpConfig, McpServers } = await import('../mcp/index.js');
    const { cwd, reporter, trace } = this.#options;
    const environment = process.env;
    await needReadable('--mcp', mcp, cwd);
    const servers = (await Promise.all(mcp.map((file) => loadMcpConfig(file, { cwd, environment })))).flat();
    this.#mcp = await McpServers.connect(servers, {
      timeoutMs: mcpTimeoutMs,
      optional: mcpOptional,
      environment,
      clientInfo: { name: 'codemode-run', version },
      signal: this.#abort.signal,
      onEvent: (event) => {
        trace.mcp(event);
        reporter.mcp(event, mcpOptional);
      },
    });
  }

  async #openExec(exec: NonNullable<ToolArguments['exec']>): Promise<void> {
    const { openExecTools } = await import('./exec-server-tools.js');
    this.#exec = await openExecTools(exec, { cwd: this.#options.cwd, signal: this.#abort.signal });
  }

  #build(): Toolbox {
    const { allowTools, denyTools } = this.#args;
    const tools = [...this.#modules, ...(this.#exec?.tools ?? []), ...(this.#mcp?.tools ?? [])];
    const { limits, reporter } = this.#options;
    return new Toolbox(tools, {
      allow: allowTools.length === 0 ? undefined : allowTools,
      deny: denyTools,
      limits,
      search: true,
      onWarning: (text) => {
        // Each list of tools is a new toolbox, which tells all of it again.
        if (!this.#warned.has(text)) reporter.warning(text);
        this.#warned.add(text);
      },
    });
  }
}

const isMistake = (error: unknown): boolean => error instanceof CodemodeError && error.code === 'invalid-argument';
