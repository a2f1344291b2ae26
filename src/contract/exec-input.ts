import * as say from './messages.js';
import { refused } from './refusal.js';

/** What the line `// @exec: {…}` can set. */
export interface ExecSettings {
  /** In ms. */
  readonly yieldTimeMs?: number;
  /** Four bytes each. */
  readonly maxOutputTokens?: number;
}

export interface ExecInput extends ExecSettings {
  /** Without the line of the settings: positions in errors count from the line after it. */
  readonly source: string;
}

const PRAGMA = /^[ \t]*\/\/ @exec:([^\n]*)$/;

/**
 * Takes a text for `exec` apart. Only the very first line can be one of settings; elsewhere such a line is a comment.
 * Throws `invalid-argument` with the text of the refusal.
 */
export function parseExecInput(input: string): ExecInput {
  if (typeof input !== 'string' || input.trim() === '') throw refused(say.emptyInputText);
  const { directive, rest } = firstLine(input);
  if (directive === undefined) return { source: input };
  if (rest.trim() === '') throw refused(say.nothingAfterPragmaText);
  return { source: rest, ...parseSettings(directive) };
}

/** The settings on the first line of a source that keeps this line. Throws like `parseExecInput`. */
export function settingsOf(source: string): ExecSettings {
  const { directive } = firstLine(source);
  return directive === undefined ? {} : parseSettings(directive);
}

function firstLine(text: string): { readonly directive: string | undefined; readonly rest: string } {
  const end = text.indexOf('\n');
  const line = end < 0 ? text : text.slice(0, end);
  return { directive: PRAGMA.exec(line)?.[1]?.trim(), rest: end < 0 ? '' : text.slice(end + 1) };
}

function parseSettings(directive: string): ExecSettings {
  if (directive === '') throw refused(say.pragmaShapeText);
  const value = parsed(directive);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused(say.pragmaShapeText);
  const { yield_time_ms: yieldTime, max_output_tokens: tokens, ...others } = value as Record<string, unknown>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw refused(say.pragmaKeyText(unknown));
  const yieldTimeMs = amount('yield_time_ms', yieldTime);
  const maxOutputTokens = amount('max_output_tokens', tokens);
  return {
    ...(yieldTimeMs === undefined ? {} : { yieldTimeMs }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
}

function parsed(directive: string): unknown {
  try {
    return JSON.parse(directive);
  } catch (error) {
    throw refused(say.pragmaJsonText(error instanceof Error ? error.message : String(error)), error);
  }
}

function amount(field: string, value: unknown): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'number') throw refused(say.pragmaNumberText(say.invalidTypeText(value)));
  if (value > Number.MAX_SAFE_INTEGER) throw refused(say.pragmaRangeText(field));
  if (value < 0 || !Number.isInteger(value)) throw refused(say.pragmaNumberText(say.invalidNumberText));
  return value;
}
