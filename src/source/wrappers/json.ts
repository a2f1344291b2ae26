import type { AnyNode, Program } from 'acorn';
import { keyName } from '../cell.js';
import { jsonText, quotedText } from '../messages.js';
import { parseCell, parseLeniently } from '../syntax.js';
import type { Unwrapped } from './wrapper.js';

const isCell = /\b(tools[.[]|(text|image|notify|content|store|audio)\()/;
const fields = ['code', 'source', 'javascript', 'js', 'script', 'program', 'input', 'typescript', 'content'];
const envelopes = ['arguments', 'parameters', 'args', 'input', 'params'];

/** `{"code": "…"}`, or the program as one JSON string. */
export function unwrapJson(text: string, program: Program | undefined): Unwrapped | undefined {
  if (program !== undefined) {
    // It runs, and does nothing: only what is surely a cell inside was not meant so.
    const inside = fromProgram(program);
    return isCell.test(inside?.text ?? '') ? inside : undefined;
  }
  const start = text.search(/\S/);
  if (start < 0 || !/["{]/.test(text.charAt(start))) return undefined;
  const literal = objectIn(text);
  if (literal !== undefined) return { ...literal, at: start };
  const value = parseLoosely(text.trim());
  if (typeof value === 'string') return quoted(start, value);
  const found = codeIn(value);
  return found && { code: 'json-wrapper', at: start, message: jsonText(found.field), text: found.code };
}

/** Strings with raw line ends in them are no JSON, and are sent all the same. */
function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    try {
      return JSON.parse(withEscapedLines(text));
    } catch {
      return undefined;
    }
  }
}

const controls: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function withEscapedLines(text: string): string {
  let result = '';
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charAt(at);
    if (unit === '\\' && inString) {
      result += unit + text.charAt(at + 1);
      at += 1;
      continue;
    }
    if (unit === '"') inString = !inString;
    result += inString ? (controls[unit] ?? unit) : unit;
  }
  return result;
}

function codeIn(value: unknown, depth = 0): { readonly field: string; readonly code: string } | undefined {
  if (typeof value !== 'object' || value === null || depth > 2) return undefined;
  const entries = new Map<string, unknown>(Object.entries(value));
  for (const field of fields) {
    const code = entries.get(field);
    if (typeof code === 'string' && looksLikeProgram(code)) return { field, code };
  }
  for (const field of envelopes) {
    const inner = entries.get(field);
    const found = codeIn(typeof inner === 'string' ? parseLoosely(inner) : inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Parses, and does something: a word or a sentence would be data. */
export function looksLikeProgram(code: string): boolean {
  const trimmed = code.trim();
  if (/^(```|\{|"|<)/.test(trimmed)) return true;
  if (!/[(=]/.test(trimmed)) return false;
  const parsed = parseCell(code, true);
  // Whatever else is wrong with it, calls of what only cells have tell.
  return parsed.program !== undefined || parseLeniently(code) !== undefined || /\b(tools[.[]|text\(|await )/.test(code);
}

function quoted(at: number, code: string): Unwrapped | undefined {
  if (!looksLikeProgram(code)) return undefined;
  return { code: 'quoted-program', at, message: quotedText, text: code };
}

/** A cell that runs and does nothing, as it consists of one string, or one object with the program in it. */
function fromProgram(program: Program): Unwrapped | undefined {
  const [only, ...others] = program.body;
  if (only === undefined || others.length > 0) return undefined;
  if (only.type === 'ExpressionStatement') {
    const code = constant(only.expression);
    if (code !== undefined) return quoted(only.start, code);
    return fromList(only.expression);
  }
  // `{ code: "…" }` is a block with a label in it.
  if (only.type !== 'BlockStatement' || only.body.length !== 1) return undefined;
  const [labelled] = only.body;
  if (labelled?.type !== 'LabeledStatement' || labelled.body.type !== 'ExpressionStatement') return undefined;
  return field(only.start, labelled.label.name, constant(labelled.body.expression));
}

/** The object alone, or as the only one in a list. */
function fromList(node: AnyNode): Unwrapped | undefined {
  if (node.type === 'ObjectExpression') return fromObject(node);
  const only = node.type === 'ArrayExpression' && node.elements.length === 1 ? node.elements[0] : undefined;
  return only?.type === 'ObjectExpression' ? fromObject(only) : undefined;
}

/** What is no JSON may be an object of JavaScript: with single quotes, or a comma too many. */
function objectIn(text: string): Unwrapped | undefined {
  const { program } = parseCell(`(${text})`);
  const [only] = program?.body ?? [];
  return only?.type === 'ExpressionStatement' && program?.body.length === 1 ? fromList(only.expression) : undefined;
}

export function fromObject(node: Extract<AnyNode, { type: 'ObjectExpression' }>): Unwrapped | undefined {
  for (const property of node.properties) {
    if (property.type !== 'Property') return undefined;
    const found = field(node.start, keyName(property) ?? '', constant(property.value));
    if (found !== undefined) return found;
  }
  return undefined;
}

function field(at: number, name: string, code: string | undefined): Unwrapped | undefined {
  if (!fields.includes(name) || code === undefined || !looksLikeProgram(code)) return undefined;
  return { code: 'json-wrapper', at, message: jsonText(name), text: code };
}

export function constant(node: AnyNode): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}
