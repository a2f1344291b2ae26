import { mcpTypes } from '../declarations/mcp-result.js';
import type { DeclaredTool } from '../declarations/tool-signature.js';
import { byteLength } from './byte-length.js';
import { formUnder, largestShare, type Share } from './fair-share.js';
import { BREAK, type Group, groupText } from './group-section.js';
import { mcpHeading } from './texts.js';
import type { ToolChoice, ToolForm } from './tool-forms.js';

const MCP_BLOCK = `${mcpHeading}\n\`\`\`ts\n${mcpTypes}\n\`\`\``;
const MCP_BYTES = byteLength(MCP_BLOCK) + BREAK.length;

/** What can be said of groups and their tools, and what of it fits into how many bytes. */
export class Plan {
  readonly #groups: readonly { readonly group: Group; readonly tools: readonly ToolChoice[] }[];

  constructor(groups: readonly Group[], choiceOf: (entry: DeclaredTool) => ToolChoice) {
    this.#groups = groups.map((group) => ({ group, tools: group.entries.map(choiceOf) }));
  }

  /** What everything takes at most, where no form is larger than its share. */
  bytes(share: Share): number {
    let bytes = 0;
    let isMcp = false;
    let at = 0;
    for (const { group, tools } of this.#groups) {
      bytes += group.sizes[formUnder(group, share.of(at++))] ?? 0;
      for (const { sizes, forms } of tools) {
        const form = formUnder({ sizes }, share.of(at++));
        bytes += sizes[form] ?? 0;
        isMcp ||= forms[form]?.isMcp === true;
      }
    }
    return isMcp ? bytes + MCP_BYTES : bytes;
  }

  largestShare(room: number): Share {
    const choices = this.#groups.flatMap(({ group, tools }) => [group, ...tools]);
    return largestShare(choices, (share) => this.bytes(share), room);
  }

  parts(share: Share): string[] {
    let at = 0;
    const chosen = this.#groups.map(({ group, tools }) => ({
      head: group.heads[formUnder(group, share.of(at++))] ?? '',
      forms: tools.flatMap((tool) => tool.forms[formUnder(tool, share.of(at++))] ?? []),
    }));
    const isMcp = chosen.some(({ forms }) => forms.some((form) => form.isMcp));
    return [...(isMcp ? [MCP_BLOCK] : []), ...chosen.map(({ head, forms }) => groupText(head, forms))];
  }

  /** As many names as fit, in order. */
  namesWithin(room: number): { parts: string[]; shown: number } {
    const parts: string[] = [];
    let left = room;
    let shown = 0;
    for (const { group, tools } of this.#groups) {
      left -= group.sizes.at(-1) ?? 0;
      const forms: ToolForm[] = [];
      for (const { forms: all, sizes } of tools) {
        left -= sizes.at(-1) ?? 0;
        const name = all.at(-1);
        if (left < 0 || name === undefined) break;
        forms.push(name);
      }
      if (forms.length > 0) parts.push(groupText(group.heads.at(-1) ?? '', forms));
      shown += forms.length;
      if (left < 0) break;
    }
    return { parts, shown };
  }
}
