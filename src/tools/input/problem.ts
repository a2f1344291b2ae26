/** One thing that is wrong, and where. */
export interface Problem {
  readonly path: string;
  readonly text: string;
  /** What was expected there, where that can be said. */
  readonly expected?: string | undefined;
  readonly missing?: boolean;
  /** How much it speaks against this branch of several. */
  readonly weight: number;
}

/** By keyword; of others 1. */
export const weights: Readonly<Record<string, number>> = { const: 50, enum: 10, type: 2 };
