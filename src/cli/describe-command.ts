import { CodemodeError } from '../errors.js';
import { cellDeclarations } from '../tools/declarations/index.js';
import { type Describable, type Description, describe, execTool, waitTool } from '../tools/description.js';
import type { DescribeArguments } from './arguments.js';
import { exitCodes } from './exit-code.js';
import { budgetText } from './messages.js';
import type { Output } from './output.js';
import { printable, withoutControls } from './printable.js';
import { type Listeners, ToolSources } from './tool-sources.js';
import { UsageError } from './usage-error.js';

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
  const { exec, wait, ...counts } = descriptionOf({ entries, searchName }, maxTokens);
  if (format === 'text') return withoutControls(`# exec\n\n${exec.trimEnd()}\n\n# wait\n\n${wait.trimEnd()}`);
  const contracts = [
    { ...execTool, description: exec },
    { ...waitTool, description: wait },
  ];
  const tools = entries.map(({ tool, property }) => ({ name: tool.name, property, kind: tool.kind ?? 'function' }));
  return printable(JSON.stringify({ tools: contracts, cellTools: tools, ...counts }, null, 2));
}

/** A budget that is too small is an option of the command here. */
function descriptionOf(tools: Describable, maxTokens: number | undefined): Description {
  try {
    return describe(tools, { maxTokens });
  } catch (error) {
    const minimum = error instanceof CodemodeError ? error.data.minimum : undefined;
    if (maxTokens === undefined || typeof minimum !== 'number') throw error;
    throw new UsageError(budgetText(maxTokens, minimum), { cause: error });
  }
}
