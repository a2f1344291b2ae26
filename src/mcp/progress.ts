import type { ToolProgress } from '../tools/tool.js';
import type { Fields } from './value.js';

/** Tells of a progress notification, if it is one. */
export function progressOf({ progress, total, message }: Fields, tell: (progress: ToolProgress) => void): void {
  if (typeof progress !== 'number') return;
  try {
    tell({
      progress,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    });
  } catch {
    // Who watches a call must not end it, nor its server.
  }
}
