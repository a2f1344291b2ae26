import { type AnyNode, type Program, parse, type Token } from 'acorn';

/** A cell as a module, without what makes it run. */
export type Parsed = { readonly program: Program } | { readonly program?: undefined; readonly at: number };

/** Parses as the host would. `lenient` allows a `return` outside of functions; `tokens` gets what the parser reads. */
export function parseCell(source: string, lenient = false, tokens?: Token[]): Parsed {
  try {
    const program = parse(source.replace(/^\uFEFF/, ' '), {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowHashBang: true,
      allowReturnOutsideFunction: lenient,
      ...(tokens === undefined ? {} : { onToken: tokens }),
    });
    return { program };
  } catch (error) {
    // Too deeply nested is no verdict on the syntax.
    if (!(error instanceof SyntaxError) || /stack/.test(error.message)) throw new RangeError('nested too deeply');
    return { at: 'raisedAt' in error && 'pos' in error ? Number(error.pos) : 0 };
  }
}

const MOST_AWAITS = 40;

/**
 * Parses a cell that has `return` outside of functions or `await` in functions that are not async, and nothing else
 * wrong: every such `await` counts as a `void`, which is as long and binds as strongly.
 */
export function parseLeniently(source: string): { program: Program; misplaced: readonly number[] } | undefined {
  let text = source;
  const misplaced: number[] = [];
  while (misplaced.length <= MOST_AWAITS) {
    const parsed = parseCell(text, true);
    if (parsed.program !== undefined) return { program: parsed.program, misplaced };
    const at = awaitAt(text, parsed.at);
    if (at === undefined) return undefined;
    misplaced.push(at);
    text = `${text.slice(0, at)}void ${text.slice(at + 5)}`;
  }
  return undefined;
}

/** The parser stumbles over the word itself, or over what follows it. */
function awaitAt(text: string, position: number): number | undefined {
  if (/^await\b/.test(text.slice(position, position + 6))) return position;
  const before = /\bawait\s+$/.exec(text.slice(Math.max(0, position - 30), position));
  return before === null ? undefined : Math.max(0, position - 30) + before.index;
}

/** The parts of a node, in the order of the source for all that matters here. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = [];
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) children.push(...value.filter(isNode));
    else if (isNode(value)) children.push(value);
  }
  return children;
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
