import { declarationOf } from '../declarations/tool-declaration.js';
import { type DeclaredTool, toolSignature } from '../declarations/tool-signature.js';
import { byteLength } from './byte-length.js';
import { embedded } from './embedded.js';
import type { Choice } from './fair-share.js';
import { oneLine, shorten } from './shorten.js';
import { declarationLead } from './texts.js';

/** Long descriptions are cut, to so many UTF-16 code units, before the comments in declarations go. */
const SECTIONS = [
  { limit: Infinity, comments: true },
  { limit: 600, comments: true },
  { limit: 200, comments: true },
  { limit: 200, comments: false },
];
const LINE_LIMIT = 100;
/** Between a form and the next one. */
const SEPARATOR_BYTES = 2;

/** A section with a declaration, a line of a list, or a name among names. */
export interface ToolForm {
  readonly kind: 'section' | 'line' | 'name';
  readonly text: string;
  /** The declaration speaks of a `CallToolResult`. */
  readonly isMcp: boolean;
}

export interface ToolChoice extends Choice {
  readonly forms: readonly ToolForm[];
}

/** Everything that a description can say of a tool, from its section down to its name. */
export function fullChoice(entry: DeclaredTool): ToolChoice {
  const description = descriptionOf(entry);
  const commented = declared(entry, true);
  const bare = declared(entry, false);
  const sections = SECTIONS.map(({ limit, comments }): ToolForm => {
    const about = embedded(shorten(description, limit));
    const { text, isMcp } = comments ? commented : bare;
    return { kind: 'section', text: `${headingOf(entry)}\n${about === '' ? '' : `${about}\n\n`}${text}`, isMcp };
  });
  return choiceOf([...sections, ...briefForms(entry)]);
}

/** The same without sections, which take time to make. */
export const briefChoice = (entry: DeclaredTool): ToolChoice => choiceOf(briefForms(entry));

function declared(entry: DeclaredTool, comments: boolean): { text: string; isMcp: boolean } {
  const signature = toolSignature(entry.tool, { comments });
  return { text: `${declarationLead}\n\`\`\`ts\n${declarationOf(entry, signature)}\n\`\`\``, isMcp: signature.isMcp };
}

function briefForms(entry: DeclaredTool): ToolForm[] {
  const name = `\`${entry.property}\``;
  const about = oneLine(descriptionOf(entry), LINE_LIMIT);
  return [
    { kind: 'line', text: about === '' ? `- ${name}` : `- ${name}: ${about}`, isMcp: false },
    { kind: 'name', text: name, isMcp: false },
  ];
}

/** Keeps what is smaller than everything before it. */
function choiceOf(all: readonly ToolForm[]): ToolChoice {
  const forms: ToolForm[] = [];
  const sizes: number[] = [];
  for (const form of all) {
    const size = byteLength(form.text) + SEPARATOR_BYTES;
    if (size >= (sizes.at(-1) ?? Infinity)) continue;
    forms.push(form);
    sizes.push(size);
  }
  return { forms, sizes };
}

const descriptionOf = ({ tool }: DeclaredTool): string =>
  typeof tool.description === 'string' ? tool.description : '';

function headingOf({ property, tool }: DeclaredTool): string {
  const raw = tool.name === property ? '' : ` (\`${inCode(tool.name)}\`)`;
  return `### \`${property}\`${raw}`;
}

/** A name from outside, within backticks on one line. */
const inCode = (name: string): string => shorten(name.replace(/[`\s]+/g, ' '), 200);
