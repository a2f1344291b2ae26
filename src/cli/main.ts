import { endOfFileWork } from '../process/file-work.js';
import { InheritedFiles } from '../process/inherited-files.js';
import type { Arguments } from './arguments.js';
import { watchForEarlyExit } from './early-exit.js';
import { exitCodeOfError, exitCodes } from './exit-code.js';
import { describeFailure } from './failure.js';
import { Interruptions } from './interruption.js';
import { JsonReporter } from './json-reporter.js';
import { MediaFolder } from './media-file.js';
import { errorLine } from './messages.js';
import { Output } from './output.js';
import { asksForJson, parseArguments } from './parse-arguments.js';
import { printable } from './printable.js';
import type { Reporter } from './reporter.js';
import { TextReporter } from './text-reporter.js';
import { logToStderr } from './tool-console.js';
import { Trace } from './trace.js';
import { version } from './version.js';

/** How long a reader may hold up our last words after a signal, and a file the last output of a cell that was stopped. */
const LAST_WORDS_MS = 1_000;
const REAP_MS = 200;

/** The whole program. Everything is written when it exits, unless a signal ends it. */
async function main(argv: readonly string[]): Promise<void> {
  // A program of its own, with signals of its own, of which a run loads nothing.
  if (argv[0] === 'exec-server') {
    const inherited = new InheritedFiles();
    const { runExecServer } = await import('./exec-server-command.js');
    await runExecServer(argv.slice(1), inherited);
  }
  // First of all, so that there is never a host without somebody who ends it.
  const interruptions = new Interruptions();
  const stdout = new Output(process.stdout, interruptions.outputClosed);
  const stderr = new Output(process.stderr, undefined, printable);
  const flush = async (): Promise<void> => {
    await Promise.all([stdout.flush(), stderr.flush()]);
  };
  const parsed = parsedArguments(argv);
  const json = 'command' in parsed ? 'json' in parsed && parsed.json : asksForJson(argv);
  const outDir = 'command' in parsed && parsed.command === 'run' ? parsed.outDir : '.';
  const reporter: Reporter = json
    ? new JsonReporter(stdout)
    : new TextReporter(stdout, stderr, new MediaFolder(outDir));

  logToStderr();
  const over = watchForEarlyExit(json);
  // Tools may have left handles open, so the process is ended, not left to end.
  const work = async (): Promise<number> => {
    const exitCode = await perform(parsed, reporter, stdout, stderr);
    await reporter.settled(LAST_WORDS_MS);
    reporter.close();
    await flush();
    return exitCode;
  };
  const working = work();
  const ended = await Promise.race([working, interruptions.first]);
  over();
  if (typeof ended === 'number') {
    await endOfFileWork();
    process.exit(ended);
  }
  if (ended.failure !== null) reporter.error(ended.failure);
  // An event that cannot be written has to be said elsewhere.
  if (ended.failure?.code === 'output' && json) stderr.write(`${errorLine(ended.failure.message)}\n`);
  reporter.close();
  await Promise.race([flush(), sleep(LAST_WORDS_MS)]);
  // The hosts are dead; this is for the moment it takes to reap them.
  await Promise.race([working, sleep(REAP_MS)]);
  // Whoever opens a pipe that nobody writes to would hold us for ever.
  await endOfFileWork(ended.signal);
  process.exit(ended.exitCode);
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function parsedArguments(argv: readonly string[]): Arguments | { readonly error: unknown } {
  try {
    return parseArguments(argv);
  } catch (error) {
    return { error };
  }
}

/** A folder that was deleted has no name of its own any more, only the one the shell remembers. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? '/';
  }
}

async function perform(
  parsed: Arguments | { readonly error: unknown },
  reporter: Reporter,
  stdout: Output,
  stderr: Output,
): Promise<number> {
  try {
    if ('error' in parsed) throw parsed.error;
    if (parsed.command === 'version') {
      stdout.write(`${version}\n`);
      return exitCodes.completed;
    }
    if (parsed.command === 'help') {
      const { helpText } = await import('./help.js');
      stdout.write(`${await helpText(process.stdout.columns ?? 100, parsed.of)}\n`);
      return exitCodes.completed;
    }
    const trace = new Trace(parsed.verbose ? (line) => stderr.write(`${line}\n`) : () => {});
    const input = { cwd: currentFolder(), stdin: process.stdin };
    if (parsed.command === 'describe') {
      const { describeCommand } = await import('./describe-command.js');
      return await describeCommand(parsed, stdout, { reporter, trace }, input.cwd);
    }
    if (parsed.command === 'check') {
      const { checkCommand } = await import('./check-command.js');
      return await checkCommand(parsed, stdout, { reporter, trace }, input);
    }
    const { runCommand } = await import('./run-command.js');
    return await runCommand(parsed, reporter, trace, input);
  } catch (error) {
    reporter.error(describeFailure(error));
    return exitCodeOfError(error);
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
