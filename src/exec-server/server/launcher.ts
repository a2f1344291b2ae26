import { randomUUID } from 'node:crypto';
import { type EnvironmentPolicy, RpcError, rpcCodes } from '../wire/index.js';
import { childEnvironment, type Environment } from './environment-policy.js';
import { MARK_NAME } from './families.js';
import { FifoPool } from './fifo-pool.js';
import type { LaunchedProcess, StartedProcess } from './launch.js';
import { launchWithPipes } from './launch-pipes.js';
import { launchOnTerminal } from './launch-terminal.js';
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
  /** Whether children are marked whose environment we make. One that was given in full stays as it is. */
  readonly marks: boolean;
}

/** Starts processes, on pipes or on a terminal, and sees to it that none outlives us. */
export class Launcher {
  readonly paths: PathRules;
  readonly #options: LauncherOptions;
  readonly #server = randomUUID();
  /** Neither makes anything before the first process: a server that starts none leaves no folder and no shell. */
  readonly keeper = new TreeKeeper(`${MARK_NAME}=${this.#server}:`);
  readonly #pool = new FifoPool((folder) => this.keeper.clearAfterwards(folder));
  #closed = false;
  #count = 0;

  constructor(options: LauncherOptions) {
    this.#options = options;
    this.paths = options.paths;
  }

  async launch(request: LaunchRequest): Promise<{ launched: LaunchedProcess; tree: Tree }> {
    const { keeper } = this;
    this.#refuseLate();
    const env = childEnvironment(this.#options.environment, request.envPolicy, request.env);
    const mark = this.#marks(request) ? `${this.#server}:${++this.#count}` : undefined;
    if (mark === undefined) delete env[MARK_NAME];
    else env[MARK_NAME] = mark;
    const { argv, cwd, arg0, rows, columns } = request;
    let tree: Tree | undefined;
    const started = (child: StartedProcess): void => {
      tree = keeper.add(child, mark);
    };
    const refuseLate = (): void => this.#refuseLate();
    const expected = (terminal: string | undefined): void => keeper.expect(terminal);
    const options = { argv, cwd, env, arg0, rows, columns, refuseLate, expected, started };
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

  #marks({ envPolicy }: LaunchRequest): boolean {
    return this.#options.marks && canListProcesses && envPolicy !== null && envPolicy !== undefined;
  }
}
