import { needArgument } from '../../names/argument.js';
import type { Tool } from '../tool.js';
import { cellGlobals } from './cell-globals.js';
import { mcpTypes } from './mcp-result.js';
import { entryWords } from './messages.js';
import { docComment, propertyName } from './source-text.js';
import { type DeclaredTool, isDeclaredTool, toolSignature } from './tool-signature.js';

/**
 * One declaration file for everything that a cell can use, to check cells with a TypeScript compiler: `strict`, `lib`
 * `es2023`, no `types`, and `moduleDetection` `force`, as cells are modules. It compiles whatever the schemas are.
 */
export function cellDeclarations(entries: readonly DeclaredTool[]): string {
  needArgument('cellDeclarations', 'entries', entries, Array.isArray, 'an array, such as `toolbox.entries`');
  for (const [index, entry] of entries.entries())
    needArgument('cellDeclarations', `entries[${index}]`, entry, isDeclaredTool, entryWords);
  return `${mcpTypes}\n\n${cellGlobals}\n\n/** The tools; each gives a promise of its result. */\ndeclare const tools: {\n${entries.map(member).join('')}};\n`;
}

function member({ tool, property }: DeclaredTool): string {
  const { parameter, input, output } = toolSignature(tool);
  const mark = mayBeLeftOut(tool) ? '?' : '';
  const type = `(${parameter}${mark}: ${input}) => Promise<${output}>`;
  return `${docComment(textOf(tool), '  ')}  readonly ${propertyName(property)}: ${type};\n`;
}

const textOf = (tool: Tool): string => (typeof tool.description === 'string' ? tool.description : '');

/** A call without an argument is one with an empty object. */
function mayBeLeftOut({ kind, inputSchema }: Tool): boolean {
  if (kind === 'freeform') return false;
  try {
    if (typeof inputSchema !== 'object' || inputSchema === null) return inputSchema === true;
    const words = ['$ref', 'const', 'enum', 'anyOf', 'oneOf', 'allOf'];
    const { required } = inputSchema as { readonly required?: unknown };
    return !words.some((word) => word in inputSchema) && !(Array.isArray(required) && required.length > 0);
  } catch {
    return false;
  }
}
