import { constants } from 'node:os';
import { exitText } from './messages.js';

/** How a process ended. Both fields are null when its end was never seen. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** `exit status: 3`, `signal: 9 (SIGKILL)`: the reference's spelling. */
export function describeExit(status: ExitStatus): string {
  return exitText(status, status.signal === null ? undefined : constants.signals[status.signal]);
}
