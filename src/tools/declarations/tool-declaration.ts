import { needArgument } from '../../names/argument.js';
import { entryWords, leftOutText } from './messages.js';
import { quoted } from './source-text.js';
import { type DeclaredTool, isDeclaredTool, type ToolSignature, toolSignature } from './tool-signature.js';

/**
 * One tool as TypeScript, in the form that models know from the reference. A schema that cannot be read is `unknown` with a
 * comment. Tools of MCP give a `CallToolResult`, which `mcpTypes` declares. Throws `invalid-argument` for what is no entry.
 */
export function toolDeclaration(entry: DeclaredTool): string {
  needArgument('toolDeclaration', 'entry', entry, isDeclaredTool, entryWords);
  return declarationOf(entry, toolSignature(entry.tool));
}

export const declarationOf = ({ property }: DeclaredTool, { parameter, input, output }: ToolSignature): string =>
  `declare const tools: { ${methodName(property)}(${parameter}: ${input}): Promise<${output}>; };`;

/** For a declaration that has no room. */
export const emptyDeclaration = ({ property, tool }: DeclaredTool): string =>
  `declare const tools: { ${methodName(property)}(${tool.kind === 'freeform' ? 'input: string' : 'args: unknown'}): Promise<unknown /* ${leftOutText} */>; };`;

/** A method called `new` would be a constructor. */
const methodName = (property: string): string =>
  property !== 'new' && /^[A-Za-z_$][\w$]*$/.test(property) ? property : quoted(property);
