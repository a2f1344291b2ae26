import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CodemodeError } from '../errors.js';
import { checkCheckArguments } from './argument-guard.js';
import { findCompiler } from './check/compiler.js';
import { type CompilerMessage, readCompilerOutput } from './check/compiler-output.js';
import { runCompiler } from './check/compiler-run.js';
import { brokenCompilerText, declarationsText } from './check-messages.js';
import { parseCell } from './syntax.js';

/** One fault that the type check has found, with the 1-based position in the cell as it was given. */
export interface Diagnostic {
  /** The label of the cell. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `TS2345` and the like. */
  readonly code: string;
  /** One line. */
  readonly message: string;
}

export interface CheckOptions {
  /** The text of a `.d.ts` file that declares what cells find: `tools`, `text`, … */
  readonly declarations: string;
  /** The path of a `tsc`, seen from `from`. Default: that of the package `typescript`. */
  readonly compiler?: string | undefined;
  /** The folder from which `typescript` is looked for. */
  readonly from: string;
  /** All variables that the compiler sees. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** In ms. Default: 60,000; `Infinity` means no limit. */
  readonly timeoutMs?: number | undefined;
}

export interface CheckedCell {
  readonly source: string;
  readonly label: string;
}

const DECLARATIONS = 'declarations.d.ts';

/** Checks the types of one cell; see `checkCells`. */
export const checkCell = (source: string, options: CheckOptions & { readonly label: string }): Promise<Diagnostic[]> =>
  checkCells([{ source, label: options?.label }], options);

/**
 * Checks the types of cells, each a module of its own, with one run of the user's TypeScript (5.5 or newer). JavaScript
 * is checked as JavaScript: parameters without types are no fault. Nothing of the temporary folder and no process is left
 * when it settles. A cell that does not parse hides the faults of types in the others. Rejects with `unsupported` (no usable compiler), `internal-error` (the declarations do not compile),
 * `operation-timeout`, `cancelled`, `spawn-failed`, `invalid-argument`.
 */
export async function checkCells(cells: readonly CheckedCell[], options: CheckOptions): Promise<Diagnostic[]> {
  checkCheckArguments(cells, options);
  const compiler = findCompiler(options.compiler, options.from);
  const folder = await mkdtemp(join(tmpdir(), 'codemode-check-'));
  try {
    const files = cells.map(({ source }, index) => `cell-${index + 1}.${isJavaScript(source) ? 'js' : 'ts'}`);
    await writeFile(join(folder, DECLARATIONS), options.declarations);
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: [DECLARATIONS, ...files] }),
    );
    // A byte-order mark counts as a column for a host, but not for the compiler.
    for (const [index, file] of files.entries())
      await writeFile(join(folder, file), (cells[index]?.source ?? '').replace(/^\uFEFF/, ' '));
    const { environment, signal, timeoutMs = 60_000 } = options;
    const run = { cwd: folder, environment, signal, timeoutMs };
    const result = await runCompiler(compiler, ['-p', 'tsconfig.json', '--pretty', 'false'], run);
    const messages = readCompilerOutput(result.output);
    const diagnostics = messages.flatMap((message) => diagnostic(message, files, cells));
    if (result.code === 0 || messages.length > 0) return diagnostics;
    const said = `${result.stderr}\n${result.output}`.split('\n').find((line) => line.trim() !== '');
    throw broken(compiler.args[0] ?? compiler.program, said?.trim() ?? `it ended with exit code ${result.code}`);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const compilerOptions = {
  target: 'esnext',
  lib: ['esnext'],
  module: 'esnext',
  moduleResolution: 'bundler',
  moduleDetection: 'force',
  types: [],
  allowJs: true,
  checkJs: true,
  noEmit: true,
  strict: true,
  noImplicitAny: false,
  useUnknownInCatchVariables: false,
  allowUnreachableCode: true,
  allowUnusedLabels: true,
  skipLibCheck: true,
};

/** What has types in it is checked as TypeScript; what cannot be parsed gets the compiler's word for what is wrong. */
function isJavaScript(source: string): boolean {
  try {
    return parseCell(source).program !== undefined;
  } catch {
    return false;
  }
}

function diagnostic(message: CompilerMessage, files: readonly string[], cells: readonly CheckedCell[]): Diagnostic[] {
  const { file, line, column, code } = message;
  const name = file === undefined ? undefined : basename(file);
  const cell = cells[files.indexOf(name ?? '')];
  if (cell !== undefined) return [{ file: cell.label, line, column, code, message: message.message }];
  const text = `${code}: ${message.message}`;
  if (name === DECLARATIONS)
    throw new CodemodeError('internal-error', declarationsText(`${line}:${column}: ${text}`), {
      data: { line, column, code },
    });
  // About the configuration, which is ours, or from a library file, which is the compiler's.
  throw broken(file ?? 'tsc', text);
}

const broken = (program: string, line: string): CodemodeError =>
  new CodemodeError('unsupported', brokenCompilerText(program, line), { data: { program } });
