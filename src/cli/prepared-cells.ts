import { CodemodeError } from '../errors.js';
import { type Finding, prepareCell } from '../source/index.js';
import { COMMAND_TOOL } from '../tools/command-tool.js';
import type { Toolbox } from '../tools/toolbox.js';
import type { PreflightMode } from './arguments.js';
import type { CellSource } from './cell-source.js';
import { RefusedCell } from './refused-cell.js';

/** A cell as hosts take it: without types, and without the slips that were mended. */
export interface ReadyCell extends CellSource {
  readonly findings: readonly Finding[];
}

export async function preparedCells(
  cells: readonly CellSource[],
  toolbox: Toolbox,
  preflight: PreflightMode,
): Promise<ReadyCell[]> {
  const tools = toolbox.entries.map(({ property }) => property);
  const prepared: ReadyCell[] = [];
  for (const cell of cells) {
    const { label, typescript, source: given } = cell;
    const { source, findings, repaired } = await prepareCell(given, {
      label,
      typescript,
      preflight,
      tools,
      ...(tools.includes(COMMAND_TOOL) ? { commandTool: COMMAND_TOOL } : {}),
    }).catch(refuse);
    // Without its types a cell has the same lines and columns, and people know it with them.
    prepared.push({ ...cell, source, shown: repaired ? source : given, findings });
  }
  return prepared;
}

function refuse(error: unknown): never {
  throw error instanceof CodemodeError && error.code === 'invalid-argument' ? new RefusedCell(error) : error;
}
