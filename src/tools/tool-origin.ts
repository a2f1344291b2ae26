import type { Tool } from './tool.js';

const origins = new WeakMap<Tool, string>();

/** Remembers where a tool comes from, for errors about it. */
export function noteOrigin(tool: Tool, origin: string): void {
  origins.set(tool, origin);
}

/** The file, or whatever else a tool comes from, in words. */
export const originOf = (tool: Tool): string | undefined =>
  origins.get(tool) ?? (tool.group === undefined ? undefined : `the group \`${tool.group.name}\``);
