import { CodemodeError } from '../../errors.js';
import { isRecord } from '../../protocol/guard.js';
import { moduleUnreadableText, mustBe, noToolsText, shown, toolDefectText, unknownFieldText } from '../messages.js';
import { thrownText } from '../thrown-text.js';
import type { Tool } from '../tool.js';
import { noteOrigin } from '../tool-origin.js';
import { type Defect, toolDefect, unreadable } from './tool-defect.js';

const fields = ['description', 'inputSchema', 'outputSchema', 'kind', 'group', 'handler'];

/** The tools of a module that was imported from `file`; any defect is one typed error that names the place. */
export function toolsOfModule(module: unknown, file: string): Tool[] {
  return namedValues(module, file).map(([name, value]) => {
    const read = toolOf(name, value);
    if ('field' in read) {
      const place = `${file}: tool ${JSON.stringify(name)}`;
      throw invalid(toolDefectText(place, read), { file, tool: name, field: read.field });
    }
    noteOrigin(read, file);
    return read;
  });
}

function namedValues(module: unknown, file: string): [name: string, value: unknown][] {
  let exported: unknown;
  try {
    const { tools, default: initial } = Object(module) as { readonly tools?: unknown; readonly default?: unknown };
    exported = tools ?? unwrapDefault(initial);
    if (isRecord(exported)) return Object.entries(exported);
  } catch (error) {
    throw invalid(moduleUnreadableText(file, thrownText(error)), { file });
  }
  throw invalid(noToolsText(file, exported), { file, value: shown(exported) });
}

/** A CommonJS module may arrive as a default export that carries `tools` itself. */
const unwrapDefault = (value: unknown): unknown =>
  isRecord(value) && isRecord(value.tools) && typeof value.tools.handler !== 'function' ? value.tools : value;

/** A copy, so that nothing of the module is read again once it is known to be good. */
function toolOf(name: string, value: unknown): Tool | Defect {
  try {
    if (!isRecord(value)) return { field: null, problem: mustBe('an object', value) };
    const { description, inputSchema, outputSchema, kind, group, handler } = value;
    const read = { name, description, inputSchema, outputSchema, kind, group, handler };
    return toolDefect(read, { described: true }) ?? strangeField(value) ?? finished(read as Tool, value);
  } catch (error) {
    return unreadable(error);
  }
}

function strangeField(value: object): Defect | undefined {
  const field = Object.keys(value).find((name) => !fields.includes(name));
  return field === undefined ? undefined : { field, problem: unknownFieldText(fields) };
}

function finished({ name, description, inputSchema, outputSchema, kind, group, handler }: Tool, self: object): Tool {
  return {
    name,
    description,
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    kind: kind ?? 'function',
    ...(group === undefined ? {} : { group }),
    // Not bound: a function may have a `bind` of its own.
    handler: (input, context) => Reflect.apply(handler, self, [input, context]),
  };
}

const invalid = (message: string, data: { readonly [name: string]: unknown }): CodemodeError =>
  new CodemodeError('invalid-argument', message, { data });
