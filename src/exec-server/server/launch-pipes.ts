import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { withoutPlantedNames } from '../../process/planted-names.js';
import type { FifoPool } from './fifo-pool.js';
import { exitCodeOf, identify, type LaunchedProcess, type LaunchOptions, refuseUnusable } from './launch.js';
import { OutputSource } from './output-source.js';
import { openInput, openOutput, type Pipe } from './pipe-ends.js';
import { PipeStdin } from './pipe-stdin.js';
import { shieldedStdio } from './shielded-files.js';
import { spawnError } from './spawn-error.js';
import type { StdinWriter } from './stdin-writer.js';

const posix = process.platform !== 'win32';

/** Starts a child with pipes, in a session of its own. Whatever goes wrong is an `RpcError`. */
export async function launchWithPipes(
  options: LaunchOptions & { readonly pipeStdin: boolean },
  pool: FifoPool,
): Promise<LaunchedProcess> {
  refuseUnusable(options, 'pipe');
  const names = await pool.take(options.pipeStdin ? 3 : 2);
  options.refuseLate();
  const pipes: Pipe[] = [];
  try {
    // Nothing is awaited from here to the last listener.
    if (names !== undefined) openAll(names, pipes);
    const child = start(options, pipes);
    const failed = new Promise<unknown>((resolve) => child.on('error', resolve));
    if (child.pid === undefined) throw await failed;
    options.started(identify(child.pid));
    const { sources, stdin } = ends(child, pipes);
    const exitCode = new Promise<number>((resolve) => {
      child.once('exit', (code, signal) => resolve(exitCodeOf(code, signal)));
    });
    return { sources, stdin, exitCode, resize: undefined };
  } catch (error) {
    for (const { ours } of pipes) closeSync(ours);
    throw spawnError(error);
  } finally {
    for (const { theirs } of pipes) closeSync(theirs);
  }
}

function openAll([stdout = '', stderr = '', stdin]: readonly string[], pipes: Pipe[]): void {
  pipes.push(openOutput(stdout));
  pipes.push(openOutput(stderr));
  if (stdin !== undefined) pipes.push(openInput(stdin));
}

function start(options: LaunchOptions & { readonly pipeStdin: boolean }, pipes: readonly Pipe[]): ChildProcess {
  const [program = '', ...args] = [...options.front, ...options.argv];
  const [stdout, stderr, stdin] = pipes;
  return spawn(program, args, {
    cwd: options.cwd,
    env: withoutPlantedNames(options.env),
    argv0: options.front.length === 0 ? (options.arg0 ?? program) : program,
    stdio: shieldedStdio([
      stdin?.theirs ?? (options.pipeStdin ? 'pipe' : 'ignore'),
      stdout?.theirs ?? 'pipe',
      stderr?.theirs ?? 'pipe',
    ]),
    detached: posix,
    windowsHide: true,
    shell: false,
  });
}

function ends(
  child: ChildProcess,
  pipes: readonly Pipe[],
): { sources: readonly OutputSource[]; stdin: StdinWriter | undefined } {
  const [stdout, stderr, stdin] = pipes;
  if (stdout !== undefined && stderr !== undefined) {
    const input = stdin && new PipeStdin(new Socket({ fd: stdin.ours, readable: false, writable: true }));
    const output = (pipe: Pipe): Socket => new Socket({ fd: pipe.ours, readable: true, writable: false });
    return {
      sources: [
        new OutputSource('stdout', output(stdout), stdout.ours),
        new OutputSource('stderr', output(stderr), stderr.ours),
      ],
      stdin: input,
    };
  }
  const sources: OutputSource[] = [];
  if (child.stdout !== null) sources.push(new OutputSource('stdout', child.stdout, undefined));
  if (child.stderr !== null) sources.push(new OutputSource('stderr', child.stderr, undefined));
  return { sources, stdin: child.stdin === null ? undefined : new PipeStdin(child.stdin) };
}
