import type { CellArgument } from './argument-tokens.js';
import type { Command } from './options.js';

/** Where tools come from, and which of them are offered. */
export interface ToolArguments {
  readonly tools: readonly string[];
  readonly mcp: readonly string[];
  readonly mcpTimeoutMs: number;
  readonly mcpOptional: boolean;
  /** Whether cells get the tools that run commands: `here`, or through the server at a URL. */
  readonly exec?: { readonly kind: 'here' } | { readonly kind: 'server'; readonly url: string };
  readonly allowTools: readonly string[];
  readonly denyTools: readonly string[];
}

export type PreflightMode = 'off' | 'report' | 'fix';

export interface RunArguments extends ToolArguments {
  readonly command: 'run';
  readonly cells: readonly CellArgument[];
  readonly maxCalls: number;
  readonly maxCallsInFlight: number;
  readonly preflight: PreflightMode;
  readonly check: boolean;
  readonly compiler: string | undefined;
  readonly host: string | undefined;
  readonly hostArgs: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly inheritEnv: boolean;
  readonly handshakeTimeoutMs: number;
  readonly timeoutMs: number;
  readonly yieldTimeMs: number | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly maxHeapMb: number | undefined;
  readonly outDir: string;
  readonly json: boolean;
  readonly verbose: boolean;
}

export type DescribeFormat = 'text' | 'json' | 'dts';

export interface DescribeArguments extends ToolArguments {
  readonly command: 'describe';
  readonly maxTokens: number | undefined;
  readonly format: DescribeFormat;
  readonly verbose: boolean;
}

export interface CheckArguments extends ToolArguments {
  readonly command: 'check';
  readonly cells: readonly CellArgument[];
  readonly compiler: string | undefined;
  readonly json: boolean;
  readonly verbose: boolean;
}

export type Arguments =
  | RunArguments
  | DescribeArguments
  | CheckArguments
  | { readonly command: 'help'; readonly of: Command }
  | { readonly command: 'version' };
