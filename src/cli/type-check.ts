import { CodemodeError } from '../errors.js';
import { checkCells, type Diagnostic, prepareCell } from '../source/index.js';
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
  const found = await checkCells(
    cells.map(({ label, shown }) => ({ label, source: shown })),
    {
      declarations: cellDeclarations(toolbox.entries),
      from: cwd,
      environment: compilerEnvironment(),
      ...(compiler === undefined ? {} : { compiler }),
    },
  );
  const sound = cells.filter(({ label }) => !found.some(({ file }) => file === label));
  return [...found, ...(await Promise.all(sound.map(moreThanTypes))).flat()];
}

/** What a compiler translates and we do not: an enum is no error in types, and still nothing that can run. */
async function moreThanTypes({ label, shown, typescript }: CellSource): Promise<Diagnostic[]> {
  try {
    const { findings } = await prepareCell(shown, { label, typescript, preflight: 'report' });
    const refused = findings.filter(({ code }) => code === 'unsupported-typescript');
    return refused.map(({ line, column, code, message }) => ({ file: label, line, column, code, message }));
  } catch (error) {
    if (!(error instanceof CodemodeError) || error.code !== 'invalid-argument') throw error;
    const [line, column] = [Number(error.data.line), Number(error.data.column)];
    const message = error.message.replace(`${label}:${line}:${column}: `, '');
    return [{ file: label, line, column, code: 'unsupported-typescript', message }];
  }
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
