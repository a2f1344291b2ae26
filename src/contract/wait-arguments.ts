import { waitTool } from '../tools/description.js';
import * as say from './messages.js';
import { refused } from './refusal.js';

export interface WaitArguments {
  readonly cellId: string;
  /** In ms. */
  readonly yieldTimeMs?: number;
  /** Four bytes each. */
  readonly maxOutputTokens?: number;
  readonly terminate: boolean;
}

const known = Object.keys('properties' in waitTool.inputSchema ? Object(waitTool.inputSchema.properties) : {});

/**
 * The arguments of a call of `wait`, as an object or as its JSON text. Models write a number for an ID, and null for what
 * they leave out; both are taken. Throws `invalid-argument` with the text of the refusal.
 */
export function parseWaitArguments(given: unknown): WaitArguments {
  const value = typeof given === 'string' ? parsed(given) : given;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(say.notAnObjectText(value));
  const { cell_id: cell, yield_time_ms: yieldTime, max_tokens: tokens, terminate } = value as Record<string, unknown>;
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw wrong(say.unknownFieldText(unknown, known));
  if (cell === undefined) throw wrong(say.missingFieldText('cell_id'));
  if (typeof cell !== 'string' && !Number.isSafeInteger(cell)) throw wrong(say.fieldText('cell_id', 'a string', cell));
  if (terminate !== undefined && terminate !== null && typeof terminate !== 'boolean')
    throw wrong(say.fieldText('terminate', 'a boolean', terminate));
  const yieldTimeMs = amount('yield_time_ms', yieldTime);
  const maxOutputTokens = amount('max_tokens', tokens);
  return {
    cellId: String(cell),
    ...(yieldTimeMs === undefined ? {} : { yieldTimeMs }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    terminate: terminate === true,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refused(say.waitArgumentsText(error instanceof Error ? error.message : String(error)), error);
  }
}

function amount(field: string, value: unknown): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw wrong(say.fieldText(field, 'a non-negative safe integer', value));
}

const wrong = (reason: string) => refused(say.waitArgumentsText(reason));
