// What the tools for commands and files say to cells.

export const tooManyCommandsText = (most: number): string =>
  `at most ${most} commands may run at once: wait for one, or end it with write_stdin and terminate: true`;

export const noCommandText = (id: number): string => `no command runs as session ${id}`;

export const forgottenCommandText = (id: number): string =>
  `the command of session ${id} has ended, and the exec-server no longer keeps its output: ask earlier next time`;

export const noInputText = (id: number, status: string): string =>
  `session ${id} does not take input (${status}): start it with tty: true or stdin: true`;

export const relativeCwdText = (cwd: string): string =>
  `commandTools: cwd must be an absolute path on the machine of the exec-server, got ${JSON.stringify(cwd)}`;

export const notBase64Text = (reason: string): string => `content is not base64: ${reason}`;

/** In the place of what is left out of the middle of some output. */
export const leftOutMark = (omitted: number, total: number): string => `[… ${omitted} of ${total} bytes left out …]`;

export type Action = 'read' | 'write' | 'list' | 'run a command in';
export type Fault = 'missing' | 'denied' | 'notFile' | 'notDirectory' | 'other';

const reasons: Readonly<Record<Exclude<Fault, 'other'>, string>> = {
  missing: 'no such file or directory',
  denied: 'permission denied',
  notFile: 'it is not a file',
  notDirectory: 'it, or a part of its path, is not a directory',
};

const seeTools = 'list_dir shows what is in the directories above it';
const remedies: Readonly<Record<Action, Partial<Record<Fault, string>>>> = {
  read: { missing: seeTools, notFile: 'for a directory use list_dir', notDirectory: seeTools },
  write: {
    missing: 'to make its directory too, give create_parents: true',
    notFile: 'give the path of a file',
    denied: 'choose another path',
  },
  list: { missing: seeTools, notDirectory: 'for a file use read_file' },
  'run a command in': { denied: 'choose another workdir' },
};

/** The system's number says nothing to a model. */
export const serverReasonText = (message: string): string => message.replace(/ \(os error \d+\)$/, '');

export const actionFailedText = (
  action: Action,
  path: string,
  { message, fault }: { readonly message: string; readonly fault: Fault },
): string => {
  const remedy = remedies[action][fault];
  const reason = fault === 'other' ? serverReasonText(message) : reasons[fault];
  return `cannot ${action} ${path}: ${reason}${remedy === undefined ? '' : `; ${remedy}`}`;
};

const workdirs: Readonly<Record<Fault, string>> = {
  missing: 'does not exist',
  denied: 'may not be entered',
  notFile: 'cannot be used',
  notDirectory: 'is not a directory',
  other: 'cannot be used',
};

export const workdirText = (workdir: string, fault: Fault): string =>
  `cannot run the command: the working directory ${workdir} ${workdirs[fault]}; give another workdir`;

const shells: Readonly<Record<Fault, (shell: string) => string>> = {
  missing: (shell) => `there is no shell ${shell}`,
  denied: (shell) => `the shell ${shell} may not be run`,
  notFile: (shell) => `the shell ${shell} is not a file`,
  notDirectory: (shell) => `a part of the path of the shell ${shell} is not a directory`,
  other: (shell) => `the shell ${shell} cannot be used`,
};

export const shellText = (shell: string, fault: Fault): string =>
  `cannot run the command: ${shells[fault](shell)}; leave shell out to use the default one`;

export const clientWords = 'an ExecServerClient';

export const noTerminalText = (message: string): string =>
  `${message}${message.includes('npm install') ? '' : ' (npm install @lydell/node-pty)'}; leave tty out to run the command without a terminal`;
