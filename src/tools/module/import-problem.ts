import { fileURLToPath } from 'node:url';
import { fileProblem } from '../../names/file-problem.js';
import {
  commonJsText,
  lineText,
  notModuleText,
  placelessText,
  silentText,
  thrownAtText,
  typescriptText,
} from '../messages.js';
import { thrownText } from '../thrown-text.js';

/** What was imported: as the user called it, and as Node does. */
export interface Imported {
  readonly file: string;
  readonly url: string;
}

/** Why an import has failed, in words for who has named the file. A module may throw anything, also what throws when it is looked at. */
export function importProblem(error: unknown, { file, url }: Imported): string {
  const said = thrownText(error) ?? silentText;
  const { code, url: missing, name, stack } = facts(error);
  if (missing === url) {
    const codes: Readonly<Record<string, string>> = {
      ERR_MODULE_NOT_FOUND: 'ENOENT',
      ERR_UNSUPPORTED_DIR_IMPORT: 'EISDIR',
    };
    const known = codes[String(code)];
    if (known !== undefined)
      return fileProblem(file, fileURLToPath(url), Object.assign(new Error(said), { code: known }));
  }
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /"\.[cm]?ts"/.test(said)) return typescriptText;
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' || /^ERR_IMPORT_A\w+_MISSING$/.test(String(code))) return notModuleText;
  if (typeof name !== 'string' || typeof stack !== 'string') return said;
  const message = `${name}: ${said}`;
  if (name === 'SyntaxError' && /token 'export'|import statement outside/.test(said)) return commonJsText(message);
  const where = placeOf(stack, name, url);
  // Node tells where a syntax error is only where it prints it itself.
  if (where === undefined) return name === 'SyntaxError' ? placelessText(message, file) : message;
  return thrownAtText(message, where);
}

/** Where a module has thrown: the first place in a file, which is none of Node's own. The message may name files, too. */
function placeOf(stack: string, name: string, url: string): string | undefined {
  const lines = stack
    .split('\n')
    .filter(
      (text, index) => /^\s+at /.test(text) || (index === 0 && name === 'SyntaxError' && text.startsWith('file:')),
    );
  for (const text of lines) {
    const [, found, line, column] = /(file:\/\/\S+?):(\d+)(?::(\d+))?(?=[)\s]|$)/.exec(text) ?? [];
    if (found === undefined || line === undefined) continue;
    return found === url ? lineText(line, column) : [pathOf(found), line, column].filter(Boolean).join(':');
  }
  return undefined;
}

/** As it stands when it is the URL of no file: a stack says what a module wants it to. */
function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}

/** Of an error with a message; of anything else nothing is worth more than what it says. */
function facts(error: unknown): { readonly [name in 'code' | 'url' | 'name' | 'stack']?: unknown } {
  try {
    if (!(error instanceof Error) || error.message === '') return {};
    const { name, stack } = error;
    const { code, url } = error as { readonly code?: unknown; readonly url?: unknown };
    return { code, url, name, stack };
  } catch {
    return {};
  }
}
