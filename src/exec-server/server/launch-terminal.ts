import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { withoutPlantedNames } from '../../process/planted-names.js';
import { locateProgram } from '../../process/program.js';
import { exitCodeOf, identify, type LaunchedProcess, type LaunchOptions, refuseUnusable } from './launch.js';
import { noSetsidText, noTerminalsText, terminalArg0Text } from './messages.js';
import { OutputSource } from './output-source.js';
import { shieldedStdio, shieldFromChildren } from './shielded-files.js';
import { refusedSpawn, spawnError, spawnErrorOf } from './spawn-error.js';
import { systemProgram } from './system-program.js';
import { TerminalStdin } from './terminal-stdin.js';
import { loadTerminals, type Terminals } from './terminals.js';

/** Starts a child on a pseudo-terminal of its own. */
export async function launchOnTerminal(given: LaunchOptions): Promise<LaunchedProcess> {
  const terminals = loadTerminals();
  if ('missing' in terminals) throw refusedSpawn(noTerminalsText(terminals.missing));
  refuseUnusable(given, 'PTY');
  given.refuseLate();
  const options = withArg0(given);
  refuseUnstartable(options.argv[0] ?? '', options);
  const { master, slave, name } = open(terminals, options);
  try {
    // Nothing is awaited from here to the last listener, unless it has failed.
    options.expected(name);
    const child = start(options, slave);
    const failed = new Promise<unknown>((resolve) => child.on('error', resolve));
    if (child.pid === undefined) throw await failed;
    options.started(identify(child.pid));
    const exitCode = new Promise<number>((resolve) => {
      child.once('exit', (code, signal) => {
        // A program that closes its ends and then takes its time to exit (as `cat` does) would be hung up by us: Node
        // closes our end as soon as there is no other. So there is one until the program has ended.
        closeSync(slave);
        resolve(exitCodeOf(code, signal));
      });
    });
    return { ...ends(terminals, master), exitCode };
  } catch (error) {
    options.expected(undefined);
    closeSync(master);
    closeSync(slave);
    throw spawnError(error);
  }
}

function open(terminals: Terminals, { columns, rows }: LaunchOptions): { master: number; slave: number; name: string } {
  let master: number | undefined;
  try {
    const opened = terminals.open(columns, rows);
    master = opened.master;
    closeSync(opened.slave);
    shieldFromChildren(master);
    const slave = openSync(opened.pty, constants.O_RDWR | constants.O_NOCTTY);
    return { master, slave, name: opened.pty };
  } catch (error) {
    if (master !== undefined) closeSync(master);
    throw spawnError(error);
  }
}

/** `setsid` leaves everything as it is but the session, and gives that the terminal. Node has no call for it. */
function start({ argv, front, cwd, env }: LaunchOptions, slave: number): ChildProcess {
  const setsid = systemProgram('setsid');
  if (setsid === undefined) throw refusedSpawn(noSetsidText);
  return spawn(setsid, ['-c', '--', ...front, ...argv], {
    cwd,
    env: withoutPlantedNames(env),
    stdio: shieldedStdio([slave, slave, slave]),
    // As the leader of a group it would have to fork, and we would wait for the wrong process.
    detached: false,
    shell: false,
  });
}

function ends(terminals: Terminals, master: number): Omit<LaunchedProcess, 'exitCode'> {
  const stdin = new TerminalStdin(master);
  const readable = new ReadStream(master);
  readable.on('error', () => stdin.destroy());
  readable.on('close', () => stdin.destroy());
  const resize = (rows: number, columns: number): void => {
    if (!stdin.closed) terminals.resize(master, columns, rows);
  };
  return { sources: [new OutputSource('pty', readable, master)], stdin, resize };
}

/** What `setsid` finds out only when nobody hears of it any more. */
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

/** `setsid` has no way to give a program another name, bash has. */
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
