import { execa } from 'execa';
import { CodemodeError } from '../errors.js';
import { reserveDescriptors } from './descriptor-reserve.js';
import type { HostCommand } from './host-command.js';
import { ChildHost, type HostProcess } from './host-process.js';
import { type LaunchPlan, planLaunch } from './launch-plan.js';
import { startCancelledText } from './messages.js';
import { withoutPlantedNames } from './planted-names.js';
import { codeOf, spawnFailure } from './spawn-failure.js';

export interface SpawnOptions {
  readonly command: HostCommand;
  /** All of it: nothing of our own environment is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Governs the start only. Already aborted: nothing is started. */
  readonly signal?: AbortSignal | undefined;
  /** One line of the host's stderr, without its end. */
  readonly onStderrLine?: ((line: string) => void) | undefined;
}

const posix = process.platform !== 'win32';

/** Starts a host in a group of its own. Whatever goes wrong is one rejection: `spawn-failed` or `cancelled`. */
export async function startHost(options: SpawnOptions): Promise<HostProcess> {
  throwIfCancelled(options.signal);
  const host = await spawnHost(planLaunch(options.command, options.env), options.onStderrLine);
  // The caller may have given up in the tick in which it called.
  if (options.signal?.aborted === true) await host.dispose();
  throwIfCancelled(options.signal);
  return host;
}

async function spawnHost(plan: LaunchPlan, onStderrLine: SpawnOptions['onStderrLine']): Promise<ChildHost> {
  const startedAt = performance.now();
  const child = launch(plan);
  const failed = new Promise<unknown>((resolve) => child.on('error', resolve));
  const { pid, stdin, stdout, stderr } = child;
  for (const stream of [stdin, stdout, stderr]) stream.on('error', ignore);
  // Of use only where the spawn threw, which execa hides; a child that runs is not "settled" until all pipes are closed.
  const settled = child.then(causeOf, causeOf);
  if (pid === undefined) throw failure(plan, await Promise.race([failed, settled]));
  const program = plan.location?.file ?? plan.program;
  return new ChildHost({ child, pid, stdin, stdout, stderr, program, startedAt, onStderrLine });
}

/** Also spells out settings that are the default: an own property can not be overruled from a polluted prototype. */
function launch(plan: LaunchPlan) {
  try {
    if (posix) reserveDescriptors();
    return execa(plan.program, plan.args, {
      cwd: plan.cwd,
      env: withoutPlantedNames(plan.env),
      extendEnv: false,
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
      buffer: false,
      encoding: 'buffer',
      stripFinalNewline: false,
      reject: false,
      cleanup: false,
      detached: posix,
      windowsHide: true,
      shell: false,
      node: false,
      preferLocal: false,
      ipc: false,
      verbose: 'none',
    });
  } catch (error) {
    throw failure(plan, error);
  }
}

const failure = (plan: LaunchPlan, cause: unknown): CodemodeError =>
  spawnFailure({ program: plan.program, cwd: plan.cwd, location: plan.location, code: codeOf(cause), cause });

const ignore = (): void => {};

/** Execa wraps the system's error into one of its own. */
const causeOf = (outcome: unknown): unknown =>
  outcome instanceof Error && outcome.cause !== undefined ? outcome.cause : outcome;

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new CodemodeError('cancelled', startCancelledText, { cause: signal.reason });
}
