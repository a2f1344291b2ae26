import type { AnyNode, CallExpression } from 'acorn';
import { type Cell, type FunctionNode, isFunction, memberName } from '../cell.js';
import type { Draft, Edit } from '../finding.js';
import { unawaitedText } from '../messages.js';
import { promiseUse, variableUse, waitsBeforeUse } from '../promise-use.js';

/**
 * Promises that nobody waits for, or that are taken for their results. An `await` is put in only where the result is lost
 * or nonsense without: elsewhere the cell may start something that ends, or fails, while it does something else.
 */
export function unawaited(cell: Cell): Draft[] {
  return cell.names.nodes.flatMap((node) => {
    if (node.type !== 'CallExpression') return [];
    const kind = promiseKind(cell, node);
    return kind === undefined ? [] : draftFor(cell, node, kind);
  });
}

export type PromiseKind = 'tool' | 'chain' | 'async' | 'all';

/** What kind of promise a call surely returns; undefined where we cannot be sure. */
export function promiseKind(cell: Cell, call: CallExpression): PromiseKind | undefined {
  if (cell.toolName(call) !== undefined) return 'tool';
  const { callee } = call;
  if (isFunction(callee)) return isAsync(callee) ? 'async' : undefined;
  if (callee.type === 'Identifier') {
    if (cell.names.freeName(callee) === 'stream_settled') return 'all';
    const own = functionOf(cell, callee);
    return isAsync(own) || passesOn(cell, own) ? 'async' : undefined;
  }
  if (callee.type !== 'MemberExpression') return undefined;
  const name = memberName(callee) ?? '';
  if (cell.names.freeName(callee.object) === 'Promise')
    return ['all', 'allSettled', 'any', 'race'].includes(name) ? 'all' : undefined;
  if (callee.object.type !== 'CallExpression' || !['then', 'catch', 'finally'].includes(name)) return undefined;
  const inner = promiseKind(cell, callee.object);
  // A chain that only catches is how one says that the result does not matter.
  return inner === undefined || (name === 'catch' && inner === 'tool') ? undefined : inner === 'tool' ? 'chain' : inner;
}

const isAsync = (found: FunctionNode | undefined): boolean => found?.async === true && !found.generator;

/** A function that is nothing but a call of a tool. */
function passesOn(cell: Cell, found: FunctionNode | undefined): boolean {
  const only = found?.body.type === 'BlockStatement' ? found.body.body[0] : undefined;
  const result = only?.type === 'ReturnStatement' ? only.argument : found?.body;
  return result?.type === 'CallExpression' && cell.toolName(result) !== undefined && found?.generator === false;
}

/** The cell's own function behind a name that never changes. */
export function functionOf(cell: Cell, name: Extract<AnyNode, { type: 'Identifier' }>): FunctionNode | undefined {
  const declaration = cell.names.bindingOf(name)?.declaration;
  if (declaration?.type === 'FunctionDeclaration') return declaration;
  if (declaration?.type !== 'VariableDeclarator' || declaration.id.type !== 'Identifier') return undefined;
  const parent = cell.parent(declaration);
  const isConstant = parent?.type === 'VariableDeclaration' && parent.kind === 'const';
  return isConstant && isFunction(declaration.init) ? declaration.init : undefined;
}

function draftFor(cell: Cell, call: CallExpression, kind: PromiseKind): Draft[] {
  const parent = cell.parent(call);
  const whole: AnyNode = parent?.type === 'ChainExpression' ? parent : call;
  const use = promiseUse(cell, call);
  const found = typeof use === 'string' ? use : variableUse(cell, use.declarator);
  if (found === 'kept') return [];
  if (kind !== 'tool' && found === 'dropped' && !endsBefore(cell, whole)) return [];
  if (kind === 'async' && found === 'dropped' && !cell.takesTime) return [];
  const may = cell.mayAwait(whole);
  const isLost =
    found === 'dropped'
      ? endsBefore(cell, whole)
      : found === 'value' && (typeof use === 'string' || !waitsBeforeUse(cell, use.declarator));
  return [
    {
      code: kind === 'tool' ? 'unawaited-tool-call' : 'unawaited-promise',
      at: whole.start,
      message: unawaitedText(shortCall(cell, call), found === 'dropped' ? found : 'value', may),
      ...(may && isLost ? { edits: awaitEdits(cell, whole) } : {}),
    },
  ];
}

/** Whether the cell has nothing left to wait for once the promise is dropped: what comes later in it never happens. */
export const endsBefore = (cell: Cell, node: AnyNode): boolean =>
  cell.functionAround(node) === undefined && !cell.waitsAfter(node.end) && !isInWaitingLoop(cell, node);

function isInWaitingLoop(cell: Cell, node: AnyNode): boolean {
  for (let outer = cell.parent(node); outer !== undefined; outer = cell.parent(outer)) {
    if (/^(For|While|DoWhile)/.test(outer.type) && cell.waitsAfter(outer.start)) return true;
  }
  return false;
}

function awaitEdits(cell: Cell, node: AnyNode): Edit[] {
  const parent = cell.parent(node);
  const binds =
    (parent?.type === 'MemberExpression' && parent.object === node) ||
    parent?.type === 'BinaryExpression' ||
    parent?.type === 'TaggedTemplateExpression';
  const around = { start: node.start, end: node.end };
  const open = { start: node.start, end: node.start, text: binds ? '(await ' : 'await ', around };
  if (!binds) return [open];
  const end = openEndBefore(cell, node);
  return [
    ...(end === undefined ? [] : [{ start: end, end, text: ';' }]),
    open,
    { start: node.end, end: node.end, text: ')', around },
  ];
}

/** The end of the statement before, where a parenthesis at the beginning of this one would make a call of it. */
function openEndBefore(cell: Cell, node: AnyNode): number | undefined {
  let statement: AnyNode | undefined = node;
  while (statement !== undefined && statement.type !== 'ExpressionStatement') {
    const outer: AnyNode | undefined = cell.parent(statement);
    statement = outer?.start === node.start ? outer : undefined;
  }
  const end = statement && cell.statementBefore(statement)?.end;
  return end === undefined || cell.source.charAt(end - 1) === ';' ? undefined : end;
}

/** The call as one would speak of it. */
function shortCall(cell: Cell, call: CallExpression): string {
  const callee = cell.text(call.callee).replace(/\s+/g, ' ');
  return callee.length > 40 || isFunction(call.callee) ? '(async () => …)()' : `${callee}(…)`;
}
