import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CodemodeError } from '../errors.js';
import { startTimer } from '../exec-server/connection/timer.js';
import { duplicateToolText, importFailedText, importTimeoutText, notATimeoutText } from './messages.js';
import type { Tool } from './tool.js';
import { toolsOfModule } from './tool-module.js';

export interface LoadToolsOptions {
  /** What relative paths begin with; by default the current folder. */
  readonly cwd?: string;
  /** How long each module may take until it is there, in ms; 30,000 by default, `Infinity` for no limit. */
  readonly importTimeoutMs?: number;
}

const DEFAULT_IMPORT_MS = 30_000;

/**
 * Imports tool modules, in order. A name may be defined once. Throws `invalid-argument` with the file, the tool and the
 * field that is wrong.
 */
export async function loadTools(files: readonly string[], options: LoadToolsOptions = {}): Promise<Tool[]> {
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
  let module: { readonly [name: string]: unknown };
  try {
    module = await importWithin(url, file, limitMs);
  } catch (error) {
    if (error instanceof ImportTimeout) throw error;
    const message = isMissing(error, url) ? 'no such file' : importProblem(error);
    throw new CodemodeError('invalid-argument', importFailedText(file, message), { cause: error, data: { file } });
  }
  return toolsOfModule(module, file);
}

class ImportTimeout extends CodemodeError {}

/** A module that awaits at its top level may never be there, and an import cannot be given up: it is only left alone. */
async function importWithin(url: string, file: string, limitMs: number): Promise<{ readonly [name: string]: unknown }> {
  let stopTimer = (): void => {};
  const late = new Promise<never>((_, reject) => {
    stopTimer = startTimer(limitMs, () => {
      const data = { file, limit: 'importTimeoutMs', value: limitMs };
      reject(new ImportTimeout('invalid-argument', importTimeoutText(file, limitMs), { data }));
    });
  });
  try {
    return await Promise.race([import(url), late]);
  } finally {
    stopTimer();
  }
}

/** The file itself is not there, rather than something that it imports. */
function isMissing(error: unknown, url: string): boolean {
  const { code, url: missing } = error as { code?: unknown; url?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' && missing === url;
}

function importProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = `${error.name}: ${error.message}`;
  const taken = error instanceof SyntaxError && /token 'export'|import statement outside/.test(error.message);
  return taken
    ? `${message} (Node takes it for CommonJS: name it .mjs, or put "type": "module" into package.json)`
    : message;
}
