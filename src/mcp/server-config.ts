/** A program that speaks MCP over its stdin and stdout. */
export interface StdioServerConfig {
  /** Part of the names of its tools: `mcp__<name>__<tool>`. */
  readonly name: string;
  readonly kind: 'stdio';
  /** A path, absolute or seen from `cwd`, or a bare name to look for in the PATH that the server will get. */
  readonly command: string;
  readonly args: readonly string[];
  /** What the server gets beside the allow-listed part of our environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Ours when absent. */
  readonly cwd?: string | undefined;
}

/** A server that is reached over streamable HTTP. */
export interface HttpServerConfig {
  readonly name: string;
  readonly kind: 'http';
  readonly url: string;
  /** Sent with every request: the place for a token. */
  readonly headers: Readonly<Record<string, string>>;
}

export type McpServerConfig = StdioServerConfig | HttpServerConfig;
