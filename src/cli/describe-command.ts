import { cellDeclarations } from '../tools/declarations/index.js';
import { describe, execTool, waitTool } from '../tools/description.js';
import type { DescribeArguments } from './arguments.js';
import { exitCodes } from './exit-code.js';
import type { Output } from './output.js';
import { printable, withoutControls } from './printable.js';
import { type Listeners, ToolSources } from './tool-sources.js';

/** Prints what a model should be told about `exec` and `wait`. */
export async function describeCommand(
  args: DescribeArguments,
  stdout: Output,
  listeners: Listeners,
  cwd: string,
): Promise<number> {
  await using sources = new ToolSources(args, { cwd, ...listeners });
  await sources.ready;
  stdout.write(`${described(args, sources)}\n`);
  return exitCodes.completed;
}

function described({ format, maxTokens }: DescribeArguments, { toolbox, searchName }: ToolSources): string {
  const { entries } = toolbox;
  if (format === 'dts') return printable(cellDeclarations(entries).trimEnd());
  const { exec, wait, ...counts } = describe(entries, { maxTokens, searchName });
  if (format === 'text') return withoutControls(`# exec\n\n${exec.trimEnd()}\n\n# wait\n\n${wait.trimEnd()}`);
  const contracts = [
    { ...execTool, description: exec },
    { ...waitTool, description: wait },
  ];
  const tools = entries.map(({ tool, property }) => ({ name: tool.name, property, kind: tool.kind ?? 'function' }));
  return printable(JSON.stringify({ tools: contracts, cellTools: tools, ...counts }, null, 2));
}
