import { pathToFileURL } from 'node:url';
import { isText, needArgument } from '../../names/argument.js';

/** A file URI stays what it is; a native path becomes one. Relative paths are relative to our own directory. */
export function toFileUri(path: string): string {
  needArgument('fs', 'path', path, isText, 'a string');
  return /^file:/i.test(path) ? path : pathToFileURL(path).href;
}
