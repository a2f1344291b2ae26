import { Console } from 'node:console';

/**
 * Tools run in this process and like to log; standard output belongs to the cells, and to the events of `--json`. To be
 * called when our own `Output` has taken hold of it.
 */
export function logToStderr(): void {
  globalThis.console = new Console(process.stderr, process.stderr);
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
}
