import { CodemodeError, type ErrorData } from '../errors.js';
import {
  alsoText,
  hintText,
  hostStderrText,
  limitNameText,
  limitText,
  skippedText,
  uncaughtText,
  unshowableText,
  usageHint,
} from './messages.js';
import type { Failure } from './reporter.js';
import { UsageError } from './usage-error.js';

const STDERR_HEAD = 8;
const STDERR_TAIL = 12;
/** Empty lines, and what Node says of its own places in a crash report. */
const NOISE = /^\s*($|at .*\bnode:|node:internal\/)/;
const FRAMES = 10;
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
    const message = withLimit(asOption(error.message), data.limitMs);
    // What is said about a host's program would not be true of a server's, whose message says it itself.
    const known = code === 'mcp-server-failed' ? { ...data, hint: undefined, stderr: undefined } : data;
    return { code, message, data, details: detailsOf(message, known) };
  }
  const frames = foreignFrames(error);
  return {
    code: 'uncaught',
    message: uncaughtText(whatWasThrown(error)),
    data: { frames },
    details: frames.map((frame) => `  ${frame}`),
  };
}

/** Anything can be thrown, also what throws when it is looked at. */
export function whatWasThrown(error: unknown): string {
  try {
    return String(error);
  } catch {
    return unshowableText;
  }
}

/** Where it was thrown, as far as that is of use: not in our own bundle, nor in Node. */
function foreignFrames(error: unknown): string[] {
  try {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    if (typeof stack !== 'string') return [];
    return stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line) && !/node:|[\\/]dist[\\/][\w-]+\.cjs:/.test(line))
      .slice(0, FRAMES)
      .map((line) => capped(line.trim()));
  } catch {
    return [];
  }
}

/** A limit is named together with its value; the reference's words, which some errors keep, leave it out. */
function withLimit(message: string, limit: unknown): string {
  if (typeof limit !== 'number') return message;
  const named = [`${limit} ms`, `${limit / 1_000} s`].map((text) => text.replace('.', '\\.'));
  return new RegExp(`(?<![\\w.,])(${named.join('|')})\\b`).test(message) ? message : `${message} ${limitText(limit)}`;
}

/** Limits of the library that an option of ours sets. */
const optionOfLimit = { openMs: '--handshake-timeout', executeMs: '--handshake-timeout' } as const;

/** Who uses the command has no other name for a limit than its option. */
const asOption = (message: string): string =>
  Object.entries(optionOfLimit).reduce(
    (text, [limit, option]) => text.replace(limitNameText(limit), limitNameText(option)),
    message,
  );

/** What helps people and is not in the message already. */
function detailsOf(message: string, { hint, stderr, failures }: ErrorData): string[] {
  const all = typeof stderr === 'string' ? stderr.split('\n').filter((line) => !NOISE.test(line)) : [];
  // A message that has all of it needs no more.
  const lines = all.every((line) => message.includes(line.trim())) ? [] : all;
  const skipped = lines.length - STDERR_HEAD - STDERR_TAIL;
  // Some say what is wrong first, and then much that follows from it.
  const shown =
    skipped <= 1 ? lines : [...lines.slice(0, STDERR_HEAD), skippedText(skipped), ...lines.slice(-STDERR_TAIL)];
  return [
    ...others(failures).map(alsoText),
    ...(typeof hint === 'string' && hint !== '' ? [hintText(hint)] : []),
    ...(shown.length > 0 ? [hostStderrText, ...shown.map((line) => `  ${capped(line)}`)] : []),
  ];
}

/** MCP servers that failed at the same time as the first one. */
function others(failures: unknown): string[] {
  const rest: readonly unknown[] = Array.isArray(failures) ? failures.slice(1) : [];
  return rest.flatMap((one) =>
    typeof one === 'object' && one !== null && 'message' in one && typeof one.message === 'string' ? [one.message] : [],
  );
}
