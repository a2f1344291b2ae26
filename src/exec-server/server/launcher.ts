import { randomUUID } from 'node:crypto';
import type { EnvironmentPolicy } from '../wire/index.js';
import { childEnvironment, type Environment } from './environment-policy.js';
import { FifoPool } from './fifo-pool.js';
import type { LaunchedProcess } from './launch.js';
import { launchWithPipes } from './launch-pipes.js';
import { launchOnTerminal } from './launch-terminal.js';
import type { PathRules } from './path-uri.js';
import { canListProcesses } from './process-list.js';
import { type Tree, TreeKeeper } from './tree-keeper.js';

/** The variable by which descendants are found that have left their session and lost their parents. */
export const MARK_NAME = 'CODEMODE_EXEC_PROCESS';

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
  #made: { readonly pool: FifoPool; readonly keeper: TreeKeeper } | undefined;
  #count = 0;

  constructor(options: LauncherOptions) {
    this.#options = options;
    this.paths = options.paths;
  }

  /** Made with the first process: a server that starts none leaves no folder and no shell. */
  get keeper(): TreeKeeper {
    return this.#tools().keeper;
  }

  async launch(request: LaunchRequest): Promise<{ launched: LaunchedProcess; tree: Tree }> {
    const { pool, keeper } = this.#tools();
    const env = childEnvironment(this.#options.environment, request.envPolicy, request.env);
    const mark = this.#marks(request) ? `${this.#server}:${++this.#count}` : undefined;
    if (mark === undefined) delete env[MARK_NAME];
    else env[MARK_NAME] = mark;
    const { argv, cwd, arg0, rows, columns } = request;
    const options = { argv, cwd, env, arg0, rows, columns };
    const launched = request.tty
      ? await launchOnTerminal(options)
      : await launchWithPipes({ ...options, pipeStdin: request.pipeStdin }, pool);
    return { launched, tree: keeper.add(launched, mark === undefined ? undefined : `${MARK_NAME}=${mark}\0`) };
  }

  close(): void {
    this.#made?.keeper.close();
    this.#made?.pool.close();
    this.#made = undefined;
  }

  #marks({ envPolicy }: LaunchRequest): boolean {
    return this.#options.marks && canListProcesses && envPolicy !== null && envPolicy !== undefined;
  }

  #tools(): { readonly pool: FifoPool; readonly keeper: TreeKeeper } {
    if (this.#made === undefined) {
      const pool = new FifoPool();
      this.#made = { pool, keeper: new TreeKeeper(`${MARK_NAME}=${this.#server}:`, pool.folder) };
    }
    return this.#made;
  }
}
