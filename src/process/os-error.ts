import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { osErrorText } from './messages.js';

// Node words its errors its own way ("no such file or directory"); these are the system's, as the reference prints them.
const texts: { readonly [code: string]: string } = {
  E2BIG: 'Argument list too long',
  EACCES: 'Permission denied',
  EAGAIN: 'Resource temporarily unavailable',
  EBUSY: 'Device or resource busy',
  EINVAL: 'Invalid argument',
  EIO: 'Input/output error',
  EISDIR: 'Is a directory',
  ELOOP: 'Too many levels of symbolic links',
  EMFILE: 'Too many open files',
  ENAMETOOLONG: 'File name too long',
  ENFILE: 'Too many open files in system',
  ENODEV: 'No such device',
  ENOENT: 'No such file or directory',
  ENOEXEC: 'Exec format error',
  ENOMEM: 'Cannot allocate memory',
  ENOTDIR: 'Not a directory',
  EPERM: 'Operation not permitted',
  ETXTBSY: 'Text file busy',
};

/** The number of an error code on this system, `ENOENT` → 2. */
export function errnoOf(code: string): number | undefined {
  const numbers: { readonly [name: string]: number } = constants.errno;
  return Object.hasOwn(numbers, code) ? numbers[code] : undefined;
}

/** `No such file or directory (os error 2)` for `ENOENT`; nothing for what is not the code of a system error. */
export function describeOsError(code: string): string | undefined {
  const number = errnoOf(code);
  if (number === undefined) return undefined;
  const text = Object.hasOwn(texts, code) ? texts[code] : getSystemErrorMap().get(-number)?.[1];
  return osErrorText(text ?? code, number);
}
