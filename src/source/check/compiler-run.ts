import { CodemodeError } from '../../errors.js';
import type { HostProcess } from '../../process/host-process.js';
import { startHost } from '../../process/spawn.js';
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

/** Node fires a longer timer after 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
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
  let timer: NodeJS.Timeout | undefined;
  let cancel = (): void => {};
  try {
    running.stdin.end();
    const stopped = new Promise<never>((_, reject) => {
      const late = (): void =>
        reject(new CodemodeError('operation-timeout', checkTimeoutText(timeoutMs), { data: { timeoutMs } }));
      if (timeoutMs <= LONGEST_TIMER_MS) timer = setTimeout(late, timeoutMs);
      cancel = () => reject(new CodemodeError('cancelled', checkCancelledText, { cause: signal?.reason }));
      signal?.addEventListener('abort', cancel, { once: true });
      // It may have fired between the start and here.
      if (signal?.aborted === true) cancel();
    });
    const result = await Promise.race([finished(running), stopped]);
    return { ...result, stderr: running.stderr.text() };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
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
