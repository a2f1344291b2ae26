// What a call of an MCP tool gives: `CallToolResult`, with the tool's own schema for `structuredContent`.

/** The types of MCP that declarations use: what a tool gives, and what `content`, `image` and `audio` take. */
export const mcpTypes = [
  'type McpMeta = { [key: string]: unknown };',
  "type TextContent = { type: 'text'; text: string; _meta?: McpMeta };",
  "type ImageContent = { type: 'image'; data: string; mimeType?: string; _meta?: McpMeta };",
  "type AudioContent = { type: 'audio'; data: string; mimeType?: string; _meta?: McpMeta };",
  "type ResourceLink = { type: 'resource_link'; uri: string; name: string; mimeType?: string; size?: number; _meta?: McpMeta };",
  'type ResourceContents = { uri: string; mimeType?: string; _meta?: McpMeta } & ({ text: string } | { blob: string });',
  "type EmbeddedResource = { type: 'resource'; resource: ResourceContents; _meta?: McpMeta };",
  'type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;',
  'type CallToolResult<T = unknown> = { content: ContentBlock[]; structuredContent?: T; isError?: boolean; _meta?: McpMeta };',
].join('\n');

type Fields = Readonly<Record<string, unknown>>;

/** Whether an output schema is the envelope in which MCP wraps results, whatever is inside. */
export function isMcpEnvelope(schema: unknown): boolean {
  const properties = field(schema, 'properties');
  const content = field(properties, 'content');
  return (
    field(content, 'type') === 'array' &&
    field(field(content, 'items'), 'type') === 'object' &&
    field(field(properties, 'isError'), 'type') === 'boolean' &&
    field(field(properties, '_meta'), 'type') === 'object'
  );
}

/** The schema of `structuredContent`: a schema of its own, whose `#` is itself. */
export const structuredSchema = (envelope: unknown): unknown =>
  field(field(envelope, 'properties'), 'structuredContent');

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Fields)[name] : undefined;
