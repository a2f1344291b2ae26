import type { CodemodeError } from '../errors.js';

/** What happens around the servers, for whoever watches. */
export type McpEvent =
  /** `name` and `version` are what the server calls itself; `ms` is from its start to its list of tools. */
  | {
      readonly type: 'ready';
      readonly server: string;
      readonly name: string;
      readonly version: string;
      readonly tools: number;
      readonly ms: number;
    }
  | { readonly type: 'failed'; readonly server: string; readonly error: CodemodeError }
  /** A server that was ready has gone, of its own accord. */
  | { readonly type: 'ended'; readonly server: string; readonly error: CodemodeError }
  | { readonly type: 'stderr'; readonly server: string; readonly line: string }
  /** The beginning of something that came where a message belongs. */
  | { readonly type: 'stray'; readonly server: string; readonly text: string }
  /** What the server logs; `logger` is `codemode-run` where we have something to say about it ourselves. */
  | {
      readonly type: 'log';
      readonly server: string;
      readonly level: string;
      readonly logger?: string | undefined;
      readonly data: unknown;
    }
  | { readonly type: 'tools-changed'; readonly server: string; readonly tools: number };

export type EmitEvent = (event: McpEvent) => void;

/** A listener that throws must not end the server it watches. */
export const guardedEmit =
  (listener: EmitEvent | undefined): EmitEvent =>
  (event) => {
    try {
      listener?.(event);
    } catch {
      // Its own affair.
    }
  };
