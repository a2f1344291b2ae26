import { CodemodeError, type ErrorData } from '../errors.js';
import { alsoText, hintText, limitText, stderrTailText, uncaughtText, usageHint } from './messages.js';
import type { Failure } from './reporter.js';
import { UsageError } from './usage-error.js';

const STDERR_LINES = 20;
const LINE_CHARACTERS = 400;

/** A stack trace of bundled code may show a line that is the whole program. */
const capped = (line: string): string => (line.length > LINE_CHARACTERS ? `${line.slice(0, LINE_CHARACTERS)}…` : line);

/** Anything that was thrown, as the last event of a run. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof UsageError) {
    // A file that cannot be read is not a matter of how the command is used.
    return { code: 'usage', message: error.message, data: {}, details: error.cause === undefined ? [usageHint] : [] };
  }
  if (error instanceof CodemodeError) {
    const { code, data } = error;
    const message = withLimit(error.message, data.limitMs);
    // What is said about a host's program would not be true of a server's, whose message says it itself.
    const known = code === 'mcp-server-failed' ? { ...data, hint: undefined } : data;
    return { code, message, data, details: detailsOf(message, known) };
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'uncaught', message: uncaughtText(detail), data: {} };
}

/** A limit is named together with its value; the reference's words, which some errors keep, leave it out. */
const withLimit = (message: string, limit: unknown): string =>
  typeof limit !== 'number' || message.includes(`${limit} ms`) ? message : `${message} ${limitText(limit)}`;

/** What helps people and is not in the message already. */
function detailsOf(message: string, { hint, stderr, failures }: ErrorData): string[] {
  const lines = typeof stderr === 'string' && !message.includes('stderr:') ? stderr.trimEnd().split('\n') : [];
  const tail = lines
    .filter((line) => line.trim() !== '')
    .slice(-STDERR_LINES)
    .map(capped);
  return [
    ...others(failures).map(alsoText),
    ...(typeof hint === 'string' && hint !== '' ? [hintText(hint)] : []),
    ...(tail.length > 0 ? [stderrTailText, ...tail.map((line) => `  ${line}`)] : []),
  ];
}

/** MCP servers that failed at the same time as the first one. */
function others(failures: unknown): string[] {
  const rest: readonly unknown[] = Array.isArray(failures) ? failures.slice(1) : [];
  return rest.flatMap((one) =>
    typeof one === 'object' && one !== null && 'message' in one && typeof one.message === 'string' ? [one.message] : [],
  );
}
