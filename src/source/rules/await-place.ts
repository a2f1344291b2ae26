import { type Cell, type FunctionNode, isFunction, memberName } from '../cell.js';
import type { Draft, Edit } from '../finding.js';
import { awaitPlaceText } from '../messages.js';

/** `await` in functions that are not async: a syntax error, which is repaired where somebody waits for the function. */
export function awaitPlaces(cell: Cell): Draft[] {
  const repaired = new Set<FunctionNode>();
  return cell.misplacedAwaits.map((at): Draft => {
    const node = cell.names.nodes.find((candidate) => candidate.type === 'UnaryExpression' && candidate.start === at);
    const around = node === undefined ? undefined : cell.functionAround(node);
    const name = around?.type === 'FunctionDeclaration' && around.id ? around.id.name : undefined;
    const draft = { code: 'await-outside-async', at, message: awaitPlaceText(name) } as const;
    if (around === undefined || !cell.names.nodes.includes(around)) return draft;
    const edits = asyncEdits(cell, around);
    if (edits === undefined) return draft;
    if (repaired.has(around)) return { ...draft, edits: [] };
    repaired.add(around);
    return { ...draft, edits };
  });
}

/** Nothing where the promise that the function would then return could get lost. */
function asyncEdits(cell: Cell, found: FunctionNode): Edit[] | undefined {
  const parent = cell.parent(found);
  if (found.generator || parent?.type === 'Property' || parent?.type === 'MethodDefinition') return undefined;
  const edit = { start: found.start, end: found.start, text: 'async ' };
  if (parent?.type === 'CallExpression') {
    if (parent.callee === found) return cell.functionAround(found) === undefined ? [edit] : undefined;
    const isMap = parent.callee.type === 'MemberExpression' && memberName(parent.callee) === 'map';
    return isMap && isGathered(cell, parent) ? [edit] : undefined;
  }
  const declaration = parent?.type === 'VariableDeclarator' ? parent : found;
  if (declaration === found && found.type !== 'FunctionDeclaration') return undefined;
  const binding = cell.names.declaredBy(declaration);
  // A function that nobody calls is called by another repair, which waits for it.
  const isAwaited = binding?.references.every((reference) => {
    const call = cell.parent(reference);
    if (call?.type !== 'CallExpression' || call.callee !== reference) return false;
    const waiting = cell.parent(call);
    // At top level the next look at the cell finds that the call lacks its `await`.
    if (waiting?.type === 'ExpressionStatement') return cell.functionAround(call) === undefined;
    return waiting?.type === 'AwaitExpression' || isMisplacedAwait(cell, waiting);
  });
  return isAwaited === true ? [edit] : undefined;
}

const isMisplacedAwait = (cell: Cell, node: ReturnType<Cell['parent']>): boolean =>
  node?.type === 'UnaryExpression' && cell.misplacedAwaits.includes(node.start);

/** In `Promise.all(…)` and its like. */
function isGathered(cell: Cell, node: Parameters<Cell['parent']>[0]): boolean {
  const outer = cell.parent(node);
  if (outer?.type !== 'CallExpression' || isFunction(outer.callee)) return false;
  return /^(Promise\.(all|allSettled|any|race)|as_settled|stream_settled)$/.test(cell.text(outer.callee));
}
