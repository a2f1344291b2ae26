import type { ContentItem, RuntimeResponse } from '../protocol/index.js';

/** What a cell has said since the last look, and whether it goes on. */
export interface Observation {
  /** `yielded`: it still runs. */
  readonly kind: 'result' | 'yielded' | 'terminated';
  /** The host did not know the cell, or no longer. */
  readonly missing: boolean;
  readonly cellId: string;
  /** Since the last look. */
  readonly items: readonly ContentItem[];
  /** Why a cell has failed, with its stack; null of one that has not. */
  readonly errorText: string | null;
  /** From the request to the answer, as the host saw it, in ms. */
  readonly hostDurationMs: number;
}

const NS_PER_MS = 1_000_000;

function unwrap(response: RuntimeResponse) {
  if ('Result' in response) {
    return { kind: 'result', progress: response.Result, errorText: response.Result.error_text } as const;
  }
  if ('Yielded' in response) return { kind: 'yielded', progress: response.Yielded, errorText: null } as const;
  return { kind: 'terminated', progress: response.Terminated, errorText: null } as const;
}

/** The host's own id of the cell that a response is about. */
export function cellOf(response: RuntimeResponse): string {
  return unwrap(response).progress.cell_id;
}

export function observe(response: RuntimeResponse, cellId: string, missing: boolean): Observation {
  const { kind, progress, errorText } = unwrap(response);
  return {
    kind,
    missing,
    cellId,
    items: progress.content_items,
    errorText,
    hostDurationMs: progress.code_mode_host_duration_ns / NS_PER_MS,
  };
}
