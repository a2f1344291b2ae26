import { constants } from 'node:os';
import type { ErrorCode } from '../errors.js';
import { CodemodeError } from '../errors.js';
import type { CellOutcome } from '../supervisor/run-cell.js';
import { RefusedCell } from './refused-cell.js';
import { UsageError } from './usage-error.js';

export const exitCodes = { completed: 0, failed: 1, usage: 2, host: 3, limit: 4 } as const;

/** A host that ends a cell by itself does so because of a limit of its own. */
export const exitCodeOfOutcome = (outcome: CellOutcome): number =>
  outcome.status === 'completed' || outcome.status === 'failed' ? exitCodes[outcome.status] : exitCodes.limit;

/** The host is not to blame. */
const ofCell: readonly ErrorCode[] = ['operation-failed', 'frame-too-large'];

/** Whether an error is about one cell, while the host lives on. */
export const isOfCell = (error: unknown): error is CodemodeError =>
  error instanceof CodemodeError && ofCell.includes(error.code);

export function exitCodeOfError(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage;
  if (!(error instanceof CodemodeError) || error instanceof RefusedCell) return exitCodes.failed;
  const { code } = error;
  if (code === 'invalid-argument') return exitCodes.usage;
  return isOfCell(error) || code === 'internal-error' ? exitCodes.failed : exitCodes.host;
}

export const exitCodeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];
