import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { locateProgram } from '../../process/program.js';
import { exitCodeOf, type LaunchedProcess, type LaunchOptions, refuseUnusable, startOf } from './launch.js';
import { noTerminalsText, terminalArg0Text } from './messages.js';
import { OutputSource } from './output-source.js';
import { refusedSpawn, spawnError, spawnErrorOf } from './spawn-error.js';
import { TerminalStdin } from './stdin-writer.js';
import { loadTerminals, type Terminals } from './terminals.js';

/** Starts a child on a pseudo-terminal of its own. */
export async function launchOnTerminal(options: LaunchOptions): Promise<LaunchedProcess> {
  const terminals = await loadTerminals();
  if ('missing' in terminals) throw refusedSpawn(noTerminalsText(terminals.missing));
  refuseUnusable(options, 'PTY');
  return fork(terminals, withArg0(options));
}

function fork(terminals: Terminals, options: LaunchOptions): LaunchedProcess {
  const [program = '', ...args] = options.argv;
  refuseUnstartable(program, options);
  let exited: (code: number) => void = () => {};
  const exitCode = new Promise<number>((resolve) => {
    exited = resolve;
  });
  const env = Object.entries(options.env).map(([name, value]) => `${name}=${value}`);
  const { columns, rows, cwd } = options;
  let held: number | undefined;
  let terminal: ReturnType<Terminals['fork']>;
  try {
    terminal = terminals.fork(program, args, env, cwd, columns, rows, -1, -1, true, '', (code, signal) => {
      if (held !== undefined) closeSync(held);
      exited(exitCodeOf(code, signal));
    });
  } catch (error) {
    throw spawnError(error);
  }
  const { fd, pid } = terminal;
  held = openSlave(terminal.pty);
  const stdin = new TerminalStdin(fd);
  const readable = new ReadStream(fd);
  readable.on('error', () => stdin.destroy());
  readable.on('close', () => stdin.destroy());
  const resize = (newRows: number, newColumns: number): void => {
    if (!stdin.closed) terminals.resize(fd, newColumns, newRows);
  };
  return { pid, start: startOf(pid), sources: [new OutputSource('pty', readable, fd)], stdin, exitCode, resize };
}

/**
 * A program that closes its ends and then takes its time to exit (as `cat` does) would be hung up by us: Node closes our
 * end as soon as there is no other. So there is one until the program has ended.
 */
function openSlave(name: string): number | undefined {
  try {
    return openSync(name, constants.O_RDWR | constants.O_NOCTTY);
  } catch {
    return undefined;
  }
}

/** A terminal's child finds out only after the fork, and then nobody hears of it. */
function refuseUnstartable(program: string, { cwd, env }: LaunchOptions): void {
  try {
    if (!statSync(cwd).isDirectory()) throw spawnErrorOf('ENOTDIR');
    accessSync(cwd, constants.X_OK);
  } catch (error) {
    throw error instanceof Error && 'code' in error && typeof error.code === 'string' ? spawnError(error) : error;
  }
  const { file } = locateProgram(program, cwd, env.PATH);
  if (file === undefined) throw spawnErrorOf('ENOENT');
  try {
    accessSync(file, constants.X_OK);
  } catch (error) {
    throw spawnError(error);
  }
  if (statSync(file).isDirectory()) throw spawnErrorOf('EACCES');
}

/** What bash adds to its environment when it starts; `_` can not be taken away. */
const added = ['PWD', 'OLDPWD', 'SHLVL'];

/** The binding has no way to give a program another name, bash has. */
function withArg0(options: LaunchOptions): LaunchOptions {
  const { arg0, argv, env, cwd } = options;
  const [program = ''] = argv;
  if (arg0 === undefined || arg0 === program) return options;
  const bash = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find(
    (path) => locateProgram(path, cwd, undefined).file !== undefined && isExecutable(path),
  );
  if (bash === undefined) throw refusedSpawn(terminalArg0Text);
  refuseUnstartable(program, options);
  const unset = added.filter((name) => !Object.hasOwn(env, name)).join(' ');
  const script = `${unset === '' ? '' : `unset ${unset}; `}exec -a "$0" "$@"`;
  return { ...options, argv: [bash, '--noprofile', '--norc', '-c', script, arg0, ...argv], arg0: undefined };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
