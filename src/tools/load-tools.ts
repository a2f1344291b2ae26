import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CodemodeError } from '../errors.js';
import { duplicateToolText, importFailedText } from './messages.js';
import type { Tool } from './tool.js';
import { toolsOfModule } from './tool-module.js';

/**
 * Imports tool modules, in order. `files` are relative to `cwd`, by default the current folder. A name may be defined once.
 * Throws `invalid-argument` with the file, the tool and the field that is wrong.
 */
export async function loadTools(files: readonly string[], options: { readonly cwd?: string } = {}): Promise<Tool[]> {
  const modules = await Promise.allSettled(files.map((file) => loadToolModule(file, options.cwd ?? '.')));
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

async function loadToolModule(file: string, cwd: string): Promise<Tool[]> {
  const { href: url } = pathToFileURL(resolve(cwd, file));
  let module: { readonly [name: string]: unknown };
  try {
    module = await import(url);
  } catch (error) {
    const message = isMissing(error, url) ? 'no such file' : importProblem(error);
    throw new CodemodeError('invalid-argument', importFailedText(file, message), { cause: error, data: { file } });
  }
  return toolsOfModule(module, file);
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
