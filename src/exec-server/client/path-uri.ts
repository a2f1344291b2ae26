import { pathToFileURL } from 'node:url';

/** A file URI stays what it is; a native path becomes one. Relative paths are relative to our own directory. */
export function toFileUri(path: string): string {
  return /^file:/i.test(path) ? path : pathToFileURL(path).href;
}
