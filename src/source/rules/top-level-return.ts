import type { AnyNode, ReturnStatement } from 'acorn';
import { type Cell, isFunction, showing } from '../cell.js';
import type { Draft, Edit } from '../finding.js';
import { returnText } from '../messages.js';
import { isPromiseList } from './callbacks.js';

/** `return x` outside of functions: a syntax error, by which `text(x)` and the end of the cell were meant. */
export function topLevelReturns(cell: Cell): Draft[] {
  const name = ['value', 'result', 'returned', 'shown'].find((word) => !new RegExp(`\\b${word}\\b`).test(cell.source));
  return cell.names.nodes.flatMap((node): Draft[] => {
    if (node.type !== 'ReturnStatement' || cell.functionAround(node) !== undefined) return [];
    const edits = repair(cell, node, name);
    return [
      {
        code: 'top-level-return',
        at: node.start,
        message: returnText(node.argument != null),
        ...(edits ? { edits } : {}),
      },
    ];
  });
}

/** `name` is one that the cell does not use. */
function repair(cell: Cell, node: ReturnStatement, name: string | undefined): Edit[] | undefined {
  if (!cell.isGlobal('text') || !cell.isGlobal('exit') || isBeforeFinally(cell, node)) return undefined;
  const last = cell.program.body.at(-1) === node;
  const { argument } = node;
  if (!argument || isUndefined(argument)) return [{ start: node.start, end: node.end, text: last ? ';' : 'exit();' }];
  // Parentheses around the value stay, with the line ends in them; comments there are better left alone.
  const open = cell.source.slice(node.start + 6, argument.start).trimStart();
  const close = cell.source.slice(argument.end, node.end).replace(/;/g, '');
  if (/[^\s(]/.test(open) || /[^\s)]/.test(close)) return undefined;
  const around = (before: string, after: string): Edit[] => [
    { start: node.start, end: argument.start, text: `${last ? '' : '{ '}${before}${open}` },
    { start: argument.end, end: node.end, around: argument, text: `${close}${after}${last ? '' : ' exit(); }'}` },
  ];
  if (showsItself(cell, argument)) return around('await (', ');');
  if (isPromiseList(cell, argument)) return around('text(await Promise.all(', '));');
  if (!mayBeNothing(cell, argument)) return isPlain(argument) ? around('text(', ');') : around('text(await (', '));');
  return name === undefined
    ? undefined
    : around(`const ${name} = await (`, `); if (${name} !== undefined) text(${name});`);
}

/** Surely no promise. */
const isPlain = (node: AnyNode): boolean =>
  /^(Literal|TemplateLiteral|ObjectExpression|ArrayExpression|BinaryExpression|AwaitExpression)$/.test(node.type);

/** `exit()` would leave out what `finally` does. */
function isBeforeFinally(cell: Cell, node: AnyNode): boolean {
  for (let outer = cell.parent(node); outer !== undefined; outer = cell.parent(outer))
    if (outer.type === 'TryStatement' && outer.finalizer) return true;
  return false;
}

const isUndefined = (node: AnyNode): boolean =>
  (node.type === 'Identifier' && node.name === 'undefined') ||
  (node.type === 'UnaryExpression' && node.operator === 'void' && node.argument.type === 'Literal');

const silent: readonly string[] = [...showing, 'store', 'exit', 'yield_control', 'stream_settled'];

/** `return text(x)`: the value is nothing, and all is said. */
const showsItself = (cell: Cell, node: AnyNode): boolean =>
  node.type === 'CallExpression' && silent.includes(cell.names.freeName(node.callee) ?? '');

/** A function of the cell's own may have shown everything itself, and return nothing. */
function mayBeNothing(cell: Cell, node: AnyNode): boolean {
  const inner = node.type === 'AwaitExpression' ? node.argument : node;
  if (inner.type !== 'CallExpression') return false;
  return isFunction(inner.callee) || (inner.callee.type === 'Identifier' && !cell.names.freeName(inner.callee));
}
