import { type EnvironmentPolicy, RpcError, rpcCodes } from '../wire/index.js';
import { childEnvironment, type Environment } from './environment-policy.js';
import { FifoPool } from './fifo-pool.js';
import type { LaunchedProcess, StartedProcess } from './launch.js';
import { launchWithPipes } from './launch-pipes.js';
import { launchOnTerminal } from './launch-terminal.js';
import { LimitFront } from './limit-front.js';
import { MARK_NAME, type Mark, MarkSeries } from './mark.js';
import { shuttingDownText } from './messages.js';
import type { PathRules } from './path-uri.js';
import { canListProcesses } from './process-list.js';
import { type Tree, TreeKeeper } from './tree-keeper.js';

export interface LaunchRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly envPolicy: EnvironmentPolicy | null | undefined;
  readonly arg0: string | undefined;
  readonly tty: boolean;
  readonly pipeStdin: boolean;
  readonly rows: number;
  readonly columns: number;
}

export interface LauncherOptions {
  /** Ours, of which a policy takes its share. */
  readonly environment: Environment;
  readonly paths: PathRules;
  /** Whether children are marked: with a variable in an environment that we make, with a limit where it was given in full. */
  readonly marks: boolean;
  /** How a limit comes to a child. */
  readonly front?: LimitFront | undefined;
}

/** Starts processes, on pipes or on a terminal, and sees to it that none outlives us. */
export class Launcher {
  readonly paths: PathRules;
  readonly #options: LauncherOptions;
  readonly #series = new MarkSeries();
  readonly #front: LimitFront;
  /** Neither makes anything before the first process: a server that starts none leaves no folder and no shell. */
  readonly keeper = new TreeKeeper(this.#series.traces);
  readonly #pool = new FifoPool((folder) => this.keeper.clearAfterwards(folder));
  #closed = false;

  constructor(options: LauncherOptions) {
    this.#options = options;
    this.paths = options.paths;
    this.#front = options.front ?? new LimitFront();
  }

  async launch(request: LaunchRequest): Promise<{ launched: LaunchedProcess; tree: Tree }> {
    const { keeper } = this;
    this.#refuseLate();
    const env = childEnvironment(this.#options.environment, request.envPolicy, request.env);
    const { mark, front } = await this.#markOf(request, env);
    this.#refuseLate();
    if (mark?.kind === 'variable') env[MARK_NAME] = mark.value;
    else delete env[MARK_NAME];
    const { argv, cwd, arg0, rows, columns } = request;
    let tree: Tree | undefined;
    const started = (child: StartedProcess): void => {
      tree = keeper.add(child, mark);
    };
    const refuseLate = (): void => this.#refuseLate();
    const expected = (terminal: string | undefined): void => keeper.expect(terminal);
    const options = { argv, front, cwd, env, arg0, rows, columns, refuseLate, expected, started };
    keeper.prepare();
    const launched = request.tty
      ? await launchOnTerminal(options)
      : await launchWithPipes({ ...options, pipeStdin: request.pipeStdin }, this.#pool);
    if (tree === undefined) throw new Error('a launch told of no child');
    return { launched, tree };
  }

  /** Nothing is started from here on, also not what is on its way. */
  close(): void {
    this.#closed = true;
    this.keeper.close();
    this.#pool.close();
  }

  #refuseLate(): void {
    if (this.#closed) throw new RpcError(rpcCodes.internal, shuttingDownText);
  }

  async #markOf(
    request: LaunchRequest,
    env: Readonly<Record<string, string>>,
  ): Promise<{ mark: Mark | undefined; front: readonly string[] }> {
    const { argv, cwd, envPolicy, arg0, tty } = request;
    const unmarked = { mark: undefined, front: [] };
    if (!this.#options.marks || !canListProcesses) return unmarked;
    if (envPolicy !== null && envPolicy !== undefined) return { mark: this.#series.nextVariable(), front: [] };
    // What stands in front of a program on pipes can not give it another name.
    if (!tty && arg0 !== undefined && arg0 !== argv[0]) return unmarked;
    const mark = this.#series.nextLimit();
    const front = mark && (await this.#front.of(mark, { argv, cwd, env }));
    return front === undefined ? unmarked : { mark, front };
  }
}
