import { checkCells, type Diagnostic } from '../source/index.js';
import { cellDeclarations } from '../tools/declarations/index.js';
import type { Toolbox } from '../tools/toolbox.js';
import type { CellSource } from './cell-source.js';
import { diagnosticLine, typeErrorsText } from './messages.js';
import type { Failure } from './reporter.js';

export interface TypeCheckOptions {
  readonly compiler: string | undefined;
  readonly cwd: string;
}

/** Checks the types of cells as they were written against what their tools declare. */
export async function typeDiagnostics(
  cells: readonly CellSource[],
  toolbox: Toolbox,
  { compiler, cwd }: TypeCheckOptions,
): Promise<Diagnostic[]> {
  return await checkCells(
    cells.map(({ label, shown }) => ({ label, source: shown })),
    {
      declarations: cellDeclarations(toolbox.entries),
      from: cwd,
      environment: compilerEnvironment(),
      ...(compiler === undefined ? {} : { compiler }),
    },
  );
}

/** The end of a run whose cells have errors in their types, or null. */
export async function typeFailure(
  cells: readonly CellSource[],
  toolbox: Toolbox,
  options: TypeCheckOptions,
): Promise<Failure | null> {
  const diagnostics = await typeDiagnostics(cells, toolbox, options);
  if (diagnostics.length === 0) return null;
  const message = typeErrorsText(diagnostics.length);
  return { code: 'types', message, data: { diagnostics }, details: diagnostics.map(diagnosticLine) };
}

/** Enough to find Node and a temporary folder. */
const compilerEnvironment = (): Record<string, string> => {
  const entries = Object.entries(process.env).filter(([name]) => /^(PATH|HOME|TE?MP|TMPDIR|SYSTEMROOT)$/i.test(name));
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
};
