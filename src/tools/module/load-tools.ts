import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CodemodeError } from '../../errors.js';
import { checkOptionNames, type OptionNames } from '../../names/option-names.js';
import { within } from '../../waiting/within.js';
import { duplicateToolText, importFailedText, importTimeoutText, notATimeoutText, notFilesText } from '../messages.js';
import type { Tool } from '../tool.js';
import { importProblem } from './import-problem.js';
import { toolsOfModule } from './tool-module.js';

export interface LoadToolsOptions {
  /** What relative paths begin with; by default the current folder. */
  readonly cwd?: string | undefined;
  /** How long each module may take until it is there, in ms; 30,000 by default, `Infinity` for no limit. */
  readonly importTimeoutMs?: number | undefined;
}

const known: OptionNames<LoadToolsOptions> = { cwd: true, importTimeoutMs: true };

const DEFAULT_IMPORT_MS = 30_000;

/**
 * Imports tool modules, in order. A name may be defined once. Throws `invalid-argument` with the file, the tool and the
 * field that is wrong.
 */
export async function loadTools(files: readonly string[], options: LoadToolsOptions = {}): Promise<Tool[]> {
  if (!Array.isArray(files) || !files.every((file) => typeof file === 'string')) {
    throw new CodemodeError('invalid-argument', notFilesText(files));
  }
  checkOptionNames('loadTools', options, known);
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
  const text = importFailedText(file, importProblem(cause, { file, url }));
  throw new CodemodeError('invalid-argument', text, { cause, data: { file } });
}

type ImportEnd = 'late' | { readonly module: unknown } | { readonly error: unknown };

/** A module that awaits at its top level may never be there, and an import cannot be given up: it is only left alone. */
async function imported(url: string, limitMs: number): Promise<ImportEnd> {
  const module = import(url).then(
    (module: unknown): ImportEnd => ({ module }),
    (error: unknown): ImportEnd => ({ error }),
  );
  return await within(module, limitMs, 'late' as const);
}
