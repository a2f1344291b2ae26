import { CodemodeError } from '../errors.js';
import { mustBe, noToolsText, shown, toolFieldText, toolValueText, unknownFieldText } from './messages.js';
import type { Tool } from './tool.js';

const fields = ['description', 'inputSchema', 'outputSchema', 'kind', 'handler'];

type Fields = { readonly [name: string]: unknown };

/** The tools of a module that was imported from `file`; any defect is one typed error that names the place. */
export function toolsOfModule(module: Fields, file: string): Tool[] {
  const exported = module.tools ?? unwrapDefault(module.default);
  if (!isRecord(exported)) throw invalid(noToolsText(file, exported), { file, value: shown(exported) });
  return Object.entries(exported).map(([name, value]) => toTool(name, value, file));
}

/** A CommonJS module may arrive as a default export that carries `tools` itself. */
const unwrapDefault = (value: unknown): unknown =>
  isRecord(value) && isRecord(value.tools) && typeof value.tools.handler !== 'function' ? value.tools : value;

function toTool(name: string, value: unknown, file: string): Tool {
  const wrong = (field: string, problem: string): CodemodeError =>
    invalid(toolFieldText(file, name, field, problem), { file, tool: name, field });
  if (name.trim() === '') throw wrong('name', mustBe('a non-empty string', ''));
  if (!isRecord(value)) throw invalid(toolValueText(file, name, value), { file, tool: name, field: null });
  const { description, inputSchema, outputSchema, kind, handler } = value;
  if (typeof description !== 'string' || description.trim() === '') {
    throw wrong('description', mustBe('a non-empty string', description));
  }
  if (!isSchema(inputSchema)) throw wrong('inputSchema', mustBe('a JSON Schema (an object or a boolean)', inputSchema));
  if (outputSchema !== undefined && !isSchema(outputSchema)) {
    throw wrong('outputSchema', mustBe('a JSON Schema (an object or a boolean)', outputSchema));
  }
  if (kind !== undefined && kind !== 'function' && kind !== 'freeform') {
    const got = typeof kind === 'string' ? JSON.stringify(kind) : shown(kind);
    throw wrong('kind', `must be "function" or "freeform", got ${got}`);
  }
  if (!isHandler(handler)) throw wrong('handler', mustBe('a function', handler));
  const unknown = Object.keys(value).find((field) => !fields.includes(field));
  if (unknown !== undefined) throw wrong(unknown, unknownFieldText(fields));
  return {
    name,
    description,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    kind: kind ?? 'function',
    handler: handler.bind(value),
  };
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSchema = (value: unknown): value is object | boolean => typeof value === 'boolean' || isRecord(value);

const isHandler = (value: unknown): value is Tool['handler'] => typeof value === 'function';

const invalid = (message: string, data: { readonly [name: string]: unknown }): CodemodeError =>
  new CodemodeError('invalid-argument', message, { data });
