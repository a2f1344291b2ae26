import type { Program } from 'acorn';
import type { FindingCode } from '../finding.js';

/** Something around the program was found. */
export interface Unwrapped {
  readonly code: FindingCode;
  readonly at: number;
  readonly message: string;
  /** What is left without it; undefined where that is not clear. */
  readonly text: string | undefined;
}

/**
 * Looks for one kind of wrapping. `program` is there if the text is JavaScript as it stands, `tools` if it is known which
 * tools the cell has.
 */
export type Wrapper = (
  text: string,
  program: Program | undefined,
  tools: readonly string[] | undefined,
) => Unwrapped | undefined;
