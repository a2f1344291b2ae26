import { isRecord } from '../../protocol/guard.js';
import { kindText, mustBe, unreadableText } from '../messages.js';
import { thrownText } from '../thrown-text.js';
import type { Tool } from '../tool.js';

/** What is wrong with a tool; without a field it is the whole. */
export interface Defect {
  readonly field: string | null;
  readonly problem: string;
}

export interface DefectOptions {
  /** A blank description is a defect; tools of servers may come without one. */
  readonly described?: boolean;
}

type Fields = { readonly [name: string]: unknown };

/** The first thing that keeps a value from being a tool; never throws, whatever the value does when it is looked at. */
export function toolDefect(value: unknown, options: DefectOptions = {}): Defect | undefined {
  try {
    return isRecord(value) ? fieldDefect(value, options) : { field: null, problem: mustBe('an object', value) };
  } catch (error) {
    return unreadable(error);
  }
}

export const unreadable = (error: unknown): Defect => ({ field: null, problem: unreadableText(thrownText(error)) });

function fieldDefect(fields: Fields, { described = false }: DefectOptions): Defect | undefined {
  const { name, description, inputSchema, outputSchema, kind, group, handler } = fields;
  const wrong = (field: keyof Tool, what: string): Defect => ({ field, problem: mustBe(what, fields[field]) });
  if (!isText(name)) return wrong('name', 'a non-empty string');
  if (described && !isText(description)) return wrong('description', 'a non-empty string');
  if (typeof description !== 'string') return wrong('description', 'a string');
  if (!isSchema(inputSchema)) return wrong('inputSchema', 'a JSON Schema (an object or a boolean)');
  if (outputSchema !== undefined && !isSchema(outputSchema)) {
    return wrong('outputSchema', 'a JSON Schema (an object or a boolean)');
  }
  if (kind !== undefined && kind !== 'function' && kind !== 'freeform') {
    return { field: 'kind', problem: kindText(kind) };
  }
  if (group !== undefined && !isGroup(group)) return wrong('group', 'an object with a name, and a description at most');
  return typeof handler === 'function' ? undefined : wrong('handler', 'a function');
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isRecord(value);

const isGroup = (value: unknown): boolean =>
  isRecord(value) && isText(value.name) && ['string', 'undefined'].includes(typeof value.description);
