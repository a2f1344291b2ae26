export type { ClientInfo } from './client-info.js';
export type { McpEvent } from './mcp-event.js';
export { type McpFailure, type McpOptions, McpServers } from './mcp-servers.js';
export { type ConfigOptions, loadMcpConfig, parseMcpConfig } from './parse-config.js';
export type { HttpServerConfig, McpServerConfig, StdioServerConfig } from './server-config.js';
