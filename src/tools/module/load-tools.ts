import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CodemodeError } from '../../errors.js';
import { startTimer } from '../../waiting/timer.js';
import { duplicateToolText, importFailedText, importTimeoutText, notATimeoutText, notFilesText } from '../messages.js';
import { checkOptionNames } from '../option-names.js';
import { thrownText } from '../thrown-text.js';
import type { Tool } from '../tool.js';
import { toolsOfModule } from './tool-module.js';

export interface LoadToolsOptions {
  /** What relative paths begin with; by default the current folder. */
  readonly cwd?: string | undefined;
  /** How long each module may take until it is there, in ms; 30,000 by default, `Infinity` for no limit. */
  readonly importTimeoutMs?: number | undefined;
}

const DEFAULT_IMPORT_MS = 30_000;

/**
 * Imports tool modules, in order. A name may be defined once. Throws `invalid-argument` with the file, the tool and the
 * field that is wrong.
 */
export async function loadTools(files: readonly string[], options: LoadToolsOptions = {}): Promise<Tool[]> {
  if (!Array.isArray(files) || !files.every((file) => typeof file === 'string')) {
    throw new CodemodeError('invalid-argument', notFilesText(files));
  }
  checkOptionNames(options, ['cwd', 'importTimeoutMs']);
  const { cwd = '.', importTimeoutMs: limitMs = DEFAULT_IMPORT_MS } = options;
  if (typeof limitMs !== 'number' || !(limitMs > 0)) {
    throw new CodemodeError('invalid-argument', notATimeoutText(limitMs), { data: { option: 'importTimeoutMs' } });
  }
  const modules = await Promise.allSettled(files.map((file) => loadToolModule(file, cwd, limitMs)));
  const origin = new Map<string, string>();
  const tools: Tool[] = [];
  for (const [index, module] of modules.entries()) {
    if (module.status === 'rejected') throw module.reason;
    const file = files[index] ?? '';
    for (const tool of module.value) {
      const first = origin.get(tool.name);
      if (first !== undefined) {
        const data = { file, tool: tool.name, field: 'name', first };
        throw new CodemodeError('invalid-argument', duplicateToolText(tool.name, first, file), { data });
      }
      origin.set(tool.name, file);
      tools.push(tool);
    }
  }
  return tools;
}

async function loadToolModule(file: string, cwd: string, limitMs: number): Promise<Tool[]> {
  const { href: url } = pathToFileURL(resolve(cwd, file));
  const end = await imported(url, limitMs);
  if (end === 'late') {
    const data = { file, limit: 'importTimeoutMs', value: limitMs };
    throw new CodemodeError('invalid-argument', importTimeoutText(file, limitMs), { data });
  }
  if ('module' in end) return toolsOfModule(end.module, file);
  const { error: cause } = end;
  const message = isMissing(cause, url) ? 'no such file' : importProblem(cause);
  throw new CodemodeError('invalid-argument', importFailedText(file, message), { cause, data: { file } });
}

type ImportEnd = 'late' | { readonly module: unknown } | { readonly error: unknown };

/** A module that awaits at its top level may never be there, and an import cannot be given up: it is only left alone. */
async function imported(url: string, limitMs: number): Promise<ImportEnd> {
  let stopTimer = (): void => {};
  const late = new Promise<'late'>((resolve) => {
    stopTimer = startTimer(limitMs, () => resolve('late'));
  });
  const module = import(url).then(
    (module: unknown): ImportEnd => ({ module }),
    (error: unknown): ImportEnd => ({ error }),
  );
  try {
    return await Promise.race([module, late]);
  } finally {
    stopTimer();
  }
}

/** The file itself is not there, rather than something that it imports. */
function isMissing(error: unknown, url: string): boolean {
  try {
    const { code, url: missing } = Object(error) as { readonly code?: unknown; readonly url?: unknown };
    return code === 'ERR_MODULE_NOT_FOUND' && missing === url;
  } catch {
    return false;
  }
}

/** A module may throw anything, also something that throws when it is looked at. */
function importProblem(error: unknown): string {
  const said = thrownText(error) ?? 'it threw a value that says nothing';
  if (!(isError(error) && said === error.message)) return said;
  const message = `${String(error.name)}: ${said}`;
  const taken = error instanceof SyntaxError && /token 'export'|import statement outside/.test(said);
  return taken
    ? `${message} (Node takes it for CommonJS: name it .mjs, or put "type": "module" into package.json)`
    : message;
}

function isError(error: unknown): error is Error {
  try {
    return error instanceof Error && typeof error.name === 'string';
  } catch {
    return false;
  }
}
