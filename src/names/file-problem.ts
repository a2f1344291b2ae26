import { isAbsolute } from 'node:path';
import { fileProblems, lookedForText } from './messages.js';

/**
 * Why a file cannot be used, for whoever has named it, behind its name. `path` is where it was looked for, which a name
 * that is relative does not say.
 */
export function fileProblem(name: string, path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return isAbsolute(name) ? fileProblems.ENOENT : lookedForText(fileProblems.ENOENT, path);
  const known: Readonly<Record<string, string>> = fileProblems;
  return (
    (Object.hasOwn(known, code) ? known[code] : undefined) ?? (error instanceof Error ? error.message : String(error))
  );
}
