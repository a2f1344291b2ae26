import type { DeclaredTool } from '../declarations/tool-signature.js';
import { byteLength } from './byte-length.js';
import { embedded } from './embedded.js';
import type { Choice } from './fair-share.js';
import { shorten } from './shorten.js';
import { briefLead, namesLead } from './texts.js';
import type { ToolForm } from './tool-forms.js';

/** What stands between the parts of a description. */
export const BREAK = '\n\n';

/** Tools under one heading; those without a group have none, and come first. */
export interface Group extends Choice {
  /** Heading and description, the fullest first. */
  readonly heads: readonly string[];
  readonly entries: readonly DeclaredTool[];
}

const LEADS_BYTES = byteLength(briefLead) + byteLength(namesLead) + 3 * BREAK.length;

export function groupsOf(entries: readonly DeclaredTool[]): Group[] {
  const ungrouped = entries.filter(({ tool }) => tool.group === undefined);
  const byName = new Map<string, DeclaredTool[]>();
  for (const entry of entries) {
    if (entry.tool.group === undefined) continue;
    const same = byName.get(entry.tool.group.name);
    if (same === undefined) byName.set(entry.tool.group.name, [entry]);
    else same.push(entry);
  }
  const groups = [...byName].map(([name, members]) => groupOf(name, members));
  return ungrouped.length === 0 ? groups : [{ heads: [''], sizes: [LEADS_BYTES], entries: ungrouped }, ...groups];
}

function groupOf(name: string, entries: readonly DeclaredTool[]): Group {
  const heading = `## ${shorten(name.replace(/\s+/g, ' '), 200)}`;
  const about = entries[0]?.tool.group?.description?.trim() ?? '';
  const texts = [...new Set([embedded(about), embedded(shorten(about, 200)), ''])];
  const heads = texts.map((text) => (text === '' ? heading : `${heading}\n${text}`));
  return { heads, sizes: heads.map((head) => byteLength(head) + LEADS_BYTES), entries };
}

/** What is short comes first: under a tool's own heading it would seem to belong to that tool. */
export function groupText(head: string, forms: readonly ToolForm[]): string {
  const of = (kind: ToolForm['kind']): string[] => forms.filter((form) => form.kind === kind).map(({ text }) => text);
  const names = of('name');
  const lines = of('line');
  return [
    head,
    names.length === 0 ? '' : `${namesLead} ${names.join(', ')}`,
    lines.length === 0 ? '' : `${briefLead}\n${lines.join('\n')}`,
    ...of('section'),
  ]
    .filter((text) => text !== '')
    .join(BREAK);
}
