import type { Program } from 'acorn';
import { fenceText, severalFencesText } from '../messages.js';
import { blank } from '../position.js';
import type { Unwrapped } from './wrapper.js';

interface Block {
  readonly language: string;
  /** Of the text between the fences, in lines. */
  readonly from: number;
  readonly to: number;
}

const ours = /^(js|javascript|mjs|cjs|jsx|ts|typescript|tsx|mts|node|nodejs|ecmascript|es6|exec|codemode|code|)$/i;
const opening = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^`]*$/;
const closing = /^[ \t]*(`{3,}|~{3,})[ \t]*\r?$/;

/**
 * Markdown around the program. A cell that parses can have it too: three backticks are an empty template that is called
 * as a tag, which always throws.
 */
export function unfence(text: string, program: Program | undefined): Unwrapped | undefined {
  if (!text.includes('```') && !text.includes('~~~')) return undefined;
  if (program !== undefined && !program.body.some(isFence)) return undefined;
  const single = unfenceLine(text);
  if (single !== undefined) return single;
  const lines = text.split('\n');
  const blocks = blocksOf(lines);
  const at = Math.max(0, text.search(/```|~~~/));
  if (blocks.length === 0) return undefined;
  const mine = blocks.filter(({ language }) => ours.test(language));
  const named = mine.filter(({ language }) => language !== '');
  const candidates = named.length === 1 ? named : mine.length > 0 ? mine : blocks;
  const [block] = candidates;
  if (block === undefined || candidates.length > 1)
    return { code: 'several-code-fences', at, message: severalFencesText(candidates.length), text: undefined };
  const kept = lines.map((line, index) => (index >= block.from && index < block.to ? line : endOf(line)));
  const last = kept[block.to - 1];
  if (last !== undefined) kept[block.to - 1] = withoutFence(last);
  return { code: 'code-fence', at, message: fenceText, text: kept.join('\n') };
}

/** A fence at the end of a line, behind the program. */
function withoutFence(line: string): string {
  const shown = line.trimEnd();
  let end = shown.length;
  while (shown.charAt(end - 1) === '`') end -= 1;
  return shown.length - end >= 3 ? shown.slice(0, end) + endOf(line) : line;
}

const endOf = (line: string): string => (line.endsWith('\r') ? '\r' : '');

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let open: { readonly mark: string; readonly language: string; readonly from: number } | undefined;
  for (const [index, line] of lines.entries()) {
    if (open !== undefined) {
      const end = closing.exec(line);
      if (end?.[1]?.startsWith(open.mark)) {
        blocks.push({ language: open.language, from: open.from, to: index });
        open = undefined;
      }
      continue;
    }
    const start = opening.exec(line.slice(0, 200));
    if (start !== null) open = { mark: start[1] ?? '', language: start[2] ?? '', from: index + 1 };
  }
  if (open === undefined) return blocks;
  // A fence that opens at the end has lost its beginning.
  const rest = lines.slice(open.from).join('').trim();
  if (rest === '' && blocks.length === 0) return [{ language: '', from: 0, to: open.from - 1 }];
  return rest === '' ? blocks : [...blocks, { language: open.language, from: open.from, to: lines.length }];
}

/** All of it in one line. */
function unfenceLine(text: string): Unwrapped | undefined {
  const line = text.trim();
  const start = oneLine.exec(line.slice(0, 200));
  const end = /`{3,}$/.exec(line.slice(-200));
  if (start === null || end === null || line.includes('\n')) return undefined;
  const at = text.length - text.trimStart().length;
  const inner = line.slice(start[0].length, line.length - end[0].length);
  return { code: 'code-fence', at, message: fenceText, text: blank(text.slice(0, at) + start[0]) + inner };
}

const oneLine = /^`{3,}(?!`)[ \t]*(?:(?:javascript|typescript|js|ts)\b)?[ \t]*(?=[^\s`])/;

/** An empty template that is called as a tag, perhaps behind words that happen to be a label. */
function isFence(node: Program['body'][number]): boolean {
  if (node.type === 'LabeledStatement') return isFence(node.body);
  let expression = node.type === 'ExpressionStatement' ? node.expression : undefined;
  if (expression?.type !== 'TaggedTemplateExpression') return false;
  while (expression.type === 'TaggedTemplateExpression') expression = expression.tag;
  return expression.type === 'TemplateLiteral';
}
