import { CodemodeError } from '../../errors.js';
import type { HostProcess } from '../../process/host-process.js';
import { startHost } from '../../process/spawn.js';
import { deadline } from '../../waiting/deadline.js';
import { untilAborted } from '../../waiting/until-aborted.js';
import { checkCancelledText, checkTimeoutText } from '../check-messages.js';
import type { Compiler } from './compiler.js';

export interface RunOptions {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
  /** What is longer than a timer can be means no limit. */
  readonly timeoutMs: number;
}

export interface CompilerResult {
  readonly code: number | null;
  readonly output: string;
  readonly stderr: string;
}

/** More than this is read and forgotten. */
const MOST_OUTPUT = 4 * 1024 * 1024;

/** Runs the compiler in a group of its own, of which nothing is left when this settles. */
export async function runCompiler(
  compiler: Compiler,
  args: readonly string[],
  options: RunOptions,
): Promise<CompilerResult> {
  const { cwd, environment, signal, timeoutMs } = options;
  const command = { program: compiler.program, args: [...compiler.args, ...args], cwd };
  const running = await startHost({ command, env: environment, signal });
  const late = (): CodemodeError =>
    new CodemodeError('operation-timeout', checkTimeoutText(timeoutMs), { data: { timeoutMs } });
  const limit = deadline(timeoutMs, late, signal);
  try {
    running.stdin.end();
    const result = await untilAborted(finished(running), limit.signal);
    return { ...result, stderr: running.stderr.text() };
  } catch (error) {
    if (signal?.aborted !== true || limit.signal.reason !== signal.reason) throw error;
    throw new CodemodeError('cancelled', checkCancelledText, { cause: signal.reason });
  } finally {
    limit.clear();
    await running.dispose();
  }
}

async function finished(running: HostProcess): Promise<{ code: number | null; output: string }> {
  const chunks: Buffer[] = [];
  let length = 0;
  const ended = new Promise<void>((resolve) => {
    running.stdout.once('end', resolve);
    running.stdout.once('close', resolve);
  });
  running.stdout.on('data', (chunk: Buffer) => {
    if (length < MOST_OUTPUT) chunks.push(chunk);
    length += chunk.length;
  });
  const [{ code }] = await Promise.all([running.exited, ended]);
  return { code, output: Buffer.concat(chunks).toString('utf8') };
}
