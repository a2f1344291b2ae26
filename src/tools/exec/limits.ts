import type { Range } from './input.js';

/** What the tools for commands and files take, and what they take it for when it is not given. */
export const execLimits = {
  yieldMs: { initial: 10_000, least: 1, most: 3_600_000 },
  outputBytes: { initial: 40_000, least: 1_000, most: 1_000_000 },
  fileBytes: { initial: 262_144, least: 1, most: 4_194_304 },
  entries: { initial: 1_000, least: 1, most: 50_000 },
} as const satisfies Readonly<Record<string, Range>>;
