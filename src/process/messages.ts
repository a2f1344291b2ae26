import type { ExitStatus } from './exit-status.js';

// Every sentence this folder says to people. The spelling of the first three is the reference's, and is pinned by tests.

export const nulByteText = 'nul byte found in provided data';

export const spawnFailureText = (path: string, reason: string): string =>
  `failed to spawn code-mode host ${path}: ${reason}`;

export const osErrorText = (text: string, number: number): string => `${text} (os error ${number})`;

export const startCancelledText = 'the start of the code-mode host was cancelled';

export const invalidVariableText = (name: string): string =>
  `not usable as the name of an environment variable: ${JSON.stringify(name)}`;

export const droppedBytesMark = (bytes: number): string => ` [${bytes} more bytes of this line dropped]`;

const unknownExitText = 'exit status: unknown';

export const exitText = (status: ExitStatus, signalNumber: number | undefined): string => {
  if (status.signal === null) return status.code === null ? unknownExitText : `exit status: ${status.code}`;
  return signalNumber === undefined ? `signal: ${status.signal}` : `signal: ${signalNumber} (${status.signal})`;
};

/** One more line on why a program did not start: several causes share one errno. */
export const hints = {
  emptyName: 'the name of the program is empty',
  notInPath: (name: string, searched: string | undefined) =>
    searched === undefined
      ? `program not found: there is no ${name} in the system's default directories, and the host's PATH is not set`
      : `program not found: there is no ${name} in the host's PATH, which is ${JSON.stringify(searched)}`,
  notFound: (file: string) => `program not found: ${file} does not exist`,
  danglingLink: (file: string, target: string) => `program not found: ${file} is a link to ${target}, which is missing`,
  pathThroughFile: (file: string) => `program not found: a part of ${file} is a file, not a directory`,
  cwdMissing: (cwd: string) => `working directory not found: ${cwd}`,
  ownCwdMissing: 'working directory not found: our own working directory was deleted',
  cwdNotDirectory: (cwd: string) => `working directory is not a directory: ${cwd}`,
  cwdForbidden: (cwd: string) => `working directory may not be entered: ${cwd}`,
  interpreterMissing: (interpreter: string, script: string) => `interpreter \`${interpreter}\` of ${script} not found`,
  carriageReturn: (script: string) => `the \`#!\` line of ${script} ends in CR: save the file with LF line ends`,
  loaderMissing: (file: string) =>
    `the loader that ${file} asks for is not installed: it was probably built for another C library (glibc, musl)`,
  isDirectory: (file: string) => `${file} is a directory`,
  notExecutable: (file: string) => `${file} is not executable: it lacks the permission (chmod +x)`,
  forbidden: (file: string) =>
    `${file} is not executable here: a directory on the way is closed to us, or its file system is mounted noexec`,
  emptyFile: (file: string) => `${file} is empty`,
  unknownFormat: (file: string) => `${file} is neither a binary of this system nor a script with a \`#!\` line`,
  tooLong: 'one argument or variable is larger than the system takes (128 KiB on Linux), or all of them together are',
  noDescriptors: 'this process has no file descriptors left: something leaks them, or `ulimit -n` is too low',
};
