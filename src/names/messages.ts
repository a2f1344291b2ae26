// What this folder says to people.

/** `place`: the call that got the options, or an object of theirs. */
export const notOptionsText = (place: string, value: unknown): string =>
  `${place} must be an object, got ${kindOf(value)}`;

export const unknownOptionText = (
  call: string,
  option: string,
  nearest: string | undefined,
  known: readonly string[],
): string => {
  const meant = nearest === undefined ? ';' : `; did you mean ${nearest}?`;
  return `${call}: the option ${option} is not known${meant} known are ${known.join(', ')}`;
};

/** What stands behind the name of a file, by the code of the system. */
export const fileProblems = {
  ENOENT: 'no such file',
  EISDIR: 'is a directory',
  EACCES: 'may not be read',
  EPERM: 'may not be read',
  ENOTDIR: 'a part of its path is not a directory',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'its name is too long',
};

export const lookedForText = (problem: string, path: string): string => `${problem} (it was looked for at ${path})`;

export const wrongArgumentText = (call: string, name: string, what: string, value: unknown): string =>
  `${call}: ${name} must be ${what}, got ${typeof value === 'number' ? value : kindOf(value)}`;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return value === undefined ? 'nothing' : `a ${typeof value}`;
}
