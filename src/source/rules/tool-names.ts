import type { AnyNode } from 'acorn';
import { nearest, sameWords } from '../../tools/nearest-name.js';
import { type Cell, cellNames, keyName, memberName } from '../cell.js';
import type { Draft, Edit } from '../finding.js';
import { bareToolText, extraArgumentsText, notCalledText, unknownToolText } from '../messages.js';

/** Names on `tools` that are none, tools without `tools.`, and arguments that no tool gets. */
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
  const used: { name: string; node: AnyNode; edit?: (name: string) => Edit }[] = [];
  for (const node of cell.names.nodes) {
    if (node.type === 'BinaryExpression' && node.operator === 'in' && node.left.type === 'Literal')
      tested.add(String(node.left.value));
    if (node.type === 'MemberExpression' && cell.isToolsObject(node.object)) {
      const name = memberName(node);
      if (name === undefined) continue;
      if (!isUsed(cell, node)) tested.add(name);
      const start = node.object.end;
      used.push({ name, node: node.property, edit: (other) => ({ start, end: node.end, text: `.${other}` }) });
    }
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'ObjectPattern' || !node.init) continue;
    if (!cell.isToolsObject(node.init)) continue;
    for (const property of node.id.properties) {
      if (property.type !== 'Property' || property.value.type !== 'Identifier') continue;
      const name = keyName(property);
      if (name !== undefined) used.push({ name, node: property });
    }
  }
  // Each name is compared once, however often it is used.
  const meant = new Map<string, string | undefined>();
  const near = new Map<string, string | undefined>();
  return used
    .filter(({ name }) => !tools.has(name) && !tested.has(name) && !(name in Object.prototype))
    .map(({ name, node, edit }) => {
      if (!meant.has(name)) {
        const words = sameWords(name);
        const same = words === '' ? [] : [...tools].filter((tool) => sameWords(tool) === words);
        meant.set(name, same.length === 1 ? same[0] : undefined);
      }
      const certain = meant.get(name);
      if (!near.has(name)) near.set(name, certain ?? nearest(name, tools));
      return {
        code: 'unknown-tool',
        at: node.start,
        message: unknownToolText(name, near.get(name), [...tools], cellNames.has(name)),
        ...(certain !== undefined && edit !== undefined ? { edits: [edit(certain)] } : {}),
      };
    });
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
    return calls.map(
      ({ start }): Draft => ({
        code: 'bare-tool-call',
        at: start,
        message: bareToolText(name),
        edits: [{ start, end: start, text: 'tools.' }],
      }),
    );
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
