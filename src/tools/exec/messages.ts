// What the tools for commands and files say to cells.

export const tooManyCommandsText = (most: number): string =>
  `at most ${most} commands may run at once: wait for one, or end it with write_stdin and terminate: true`;

export const noCommandText = (id: number): string => `no command runs as session ${id}`;

export const forgottenCommandText = (id: number): string =>
  `the command of session ${id} has ended, and the exec-server no longer keeps its output: ask earlier next time`;

export const noInputText = (id: number, status: string): string =>
  `session ${id} does not take input (${status}): start it with tty: true or stdin: true`;
