import type { CheckArguments } from './arguments.js';
import { type CellInput, loadCells } from './cell-source.js';
import { exitCodes } from './exit-code.js';
import { diagnosticLine } from './messages.js';
import type { Output } from './output.js';
import { oneLine, printable } from './printable.js';
import { type Listeners, ToolSources } from './tool-sources.js';
import { typeDiagnostics } from './type-check.js';

/** Prints what is wrong with the types of cells, one line each; nothing is run. */
export async function checkCommand(
  args: CheckArguments,
  stdout: Output,
  listeners: Listeners,
  input: CellInput,
): Promise<number> {
  await using sources = new ToolSources(args, { cwd: input.cwd, ...listeners });
  const cells = await loadCells(args.cells, input);
  await sources.ready;
  const diagnostics = await typeDiagnostics(cells, sources.toolbox, { compiler: args.compiler, cwd: input.cwd });
  const ok = diagnostics.length === 0;
  if (args.json) {
    const events = diagnostics.map((diagnostic) => ({ type: 'diagnostic', ...diagnostic }));
    const result = { type: 'result', status: ok ? 'completed' : 'failed', diagnostics: diagnostics.length };
    for (const event of [...events, result]) stdout.write(`${JSON.stringify(event)}\n`);
  } else {
    for (const diagnostic of diagnostics) stdout.write(`${printable(oneLine(diagnosticLine(diagnostic)))}\n`);
  }
  return ok ? exitCodes.completed : exitCodes.failed;
}
