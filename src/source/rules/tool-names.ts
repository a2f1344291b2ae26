import type { AnyNode } from 'acorn';
import { nearest, sameWords } from '../../names/nearest-name.js';
import { type Cell, cellNames, keyName, memberName } from '../cell.js';
import type { Draft, Edit } from '../finding.js';
import { bareToolText, extraArgumentsText, notCalledText, unknownToolText } from '../messages.js';

/**
 * Names on `tools` that are none, tools without `tools.`, and arguments that no tool gets. A call of what is not there
 * throws: where the cell may catch that, it may have something else to do instead, and nothing is mended.
 */
export const toolNames = (cell: Cell): Draft[] => [
  ...unknownTools(cell),
  ...bareTools(cell),
  ...extraArguments(cell),
  ...uncalledTools(cell),
];

function unknownTools(cell: Cell): Draft[] {
  const { tools } = cell;
  if (tools === undefined) return [];
  const tested = new Set<string>();
  const used: { name: string; node: AnyNode; member?: AnyNode; edit?: (name: string) => Edit }[] = [];
  for (const node of cell.names.nodes) {
    if (node.type === 'BinaryExpression' && node.operator === 'in' && node.left.type === 'Literal')
      tested.add(String(node.left.value));
    if (node.type === 'MemberExpression' && cell.isToolsObject(node.object)) {
      const name = memberName(node);
      if (name === undefined) continue;
      if (!isUsed(cell, node)) tested.add(name);
      const start = node.object.end;
      used.push({
        name,
        node: node.property,
        member: node,
        edit: (other) => ({ start, end: node.end, text: `.${other}` }),
      });
    }
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'ObjectPattern' || !node.init) continue;
    if (!cell.isToolsObject(node.init)) continue;
    for (const property of node.id.properties) {
      if (property.type !== 'Property' || property.value.type !== 'Identifier') continue;
      const name = keyName(property);
      if (name !== undefined) used.push({ name, node: property });
    }
  }
  const known = new KnownTools(tools);
  return used
    .filter(({ name }) => !tools.has(name) && !tested.has(name) && !(name in Object.prototype))
    .map(({ name, node, member, edit }) => {
      const { message, meant } = known.lookup(name);
      const call = member && cell.parent(member);
      const fails =
        call?.type === 'CallExpression' && call.callee === member && !call.optional && !cell.mayBeCaught(call);
      return {
        code: 'unknown-tool',
        at: node.start,
        message,
        ...(meant !== undefined && edit !== undefined && fails ? { edits: [edit(meant)] } : {}),
      };
    });
}

/** So many different names are compared with every tool: more findings nobody reads. */
const MOST_COMPARED = 50;

/** Each tool is taken apart once, and each name is looked up once, however often it is used. */
class KnownTools {
  readonly #names: readonly string[];
  /** Undefined: several tools have these words. */
  readonly #byWords = new Map<string, string | undefined>();
  readonly #found = new Map<string, { readonly message: string; readonly meant: string | undefined }>();

  constructor(tools: ReadonlySet<string>) {
    this.#names = [...tools];
    for (const tool of tools) {
      const words = sameWords(tool);
      this.#byWords.set(words, this.#byWords.has(words) ? undefined : tool);
    }
  }

  lookup(name: string): { readonly message: string; readonly meant: string | undefined } {
    const found = this.#found.get(name);
    if (found !== undefined) return found;
    const words = sameWords(name);
    const meant = words === '' ? undefined : this.#byWords.get(words);
    const near = meant ?? (this.#found.size < MOST_COMPARED ? nearest(name, this.#names) : undefined);
    const result = { message: unknownToolText(name, near, this.#names, cellNames.has(name)), meant };
    this.#found.set(name, result);
    return result;
  }
}

/** Looked at before it is used, or given by the cell itself: then the cell knows what it does. */
function isUsed(cell: Cell, node: Extract<AnyNode, { type: 'MemberExpression' }>): boolean {
  const parent = cell.parent(node);
  if (parent?.type === 'CallExpression') return !parent.optional;
  return parent?.type === 'VariableDeclarator' || parent?.type === 'ArrayExpression' || parent?.type === 'Property';
}

/** Not where the cell has assigned the global, or looks whether it is there. */
function bareTools(cell: Cell): Draft[] {
  return [...cell.bareTools].flatMap((name) => {
    const uses = cell.names.free.get(name) ?? [];
    const calls = uses.filter((node) => {
      const parent = cell.parent(node);
      return parent?.type === 'CallExpression' && parent.callee === node;
    });
    if (calls.length !== uses.length || cell.names.free.has('globalThis')) return [];
    return calls.map((node): Draft => {
      const { start } = node;
      const draft = { code: 'bare-tool-call', at: start, message: bareToolText(name) } as const;
      return cell.mayBeCaught(node) ? draft : { ...draft, edits: [{ start, end: start, text: 'tools.' }] };
    });
  });
}

const uncalledTools = (cell: Cell): Draft[] =>
  cell.names.nodes.flatMap((node): Draft[] => {
    if (node.type !== 'AwaitExpression' || node.argument.type !== 'MemberExpression') return [];
    const { argument } = node;
    const name = memberName(argument);
    if (!cell.isToolsObject(argument.object) || name === undefined || cell.tools?.has(name) !== true) return [];
    return [{ code: 'tool-not-called', at: argument.start, message: notCalledText(name) }];
  });

const extraArguments = (cell: Cell): Draft[] =>
  cell.names.nodes.flatMap((node): Draft[] => {
    if (node.type !== 'CallExpression') return [];
    const tool = cell.toolName(node);
    const second = node.arguments[1];
    if (tool === undefined || second === undefined) return [];
    if (node.arguments.some((argument) => argument.type === 'SpreadElement')) return [];
    return [{ code: 'extra-arguments', at: second.start, message: extraArgumentsText(tool.name) }];
  });
