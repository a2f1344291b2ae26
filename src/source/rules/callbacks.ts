import type { AnyNode, CallExpression, Expression } from 'acorn';
import { type Cell, type FunctionNode, isFunction, memberName } from '../cell.js';
import type { Draft, Edit } from '../finding.js';
import { forEachText, mapDroppedText, mapValueText, predicateText } from '../messages.js';
import { promiseUse, variableUse, waitsBeforeUse } from '../promise-use.js';
import { endsBefore, functionOf, promiseKind } from './unawaited.js';

const predicates: ReadonlySet<string> = new Set(['filter', 'some', 'every', 'find', 'findIndex', 'findLast', 'sort']);

/**
 * Array methods whose callback returns a promise that the method knows nothing of. Mended where the cell would end before
 * the promises, or show them.
 */
export function asyncCallbacks(cell: Cell): Draft[] {
  return cell.names.nodes.flatMap((node): Draft[] => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return [];
    const name = memberName(node.callee) ?? '';
    const callback = callbackOf(cell, node);
    if (callback === undefined || !returnsPromise(cell, callback)) return [];
    if (name === 'forEach') return forEach(cell, node);
    if (name === 'map' || name === 'flatMap') return map(cell, node, name);
    if (!predicates.has(name)) return [];
    return [{ code: 'async-callback', at: node.callee.property.start, message: predicateText(name) }];
  });
}

/** A list of promises, or a constant that is one: `list.map(async …)`. */
export function isPromiseList(cell: Cell, node: AnyNode): boolean {
  const declaration = node.type === 'Identifier' ? cell.names.bindingOf(node)?.declaration : undefined;
  const parent = declaration && cell.parent(declaration);
  const isConstant = parent?.type === 'VariableDeclaration' && parent.kind === 'const';
  const value = declaration?.type === 'VariableDeclarator' && isConstant ? declaration.init : node;
  if (value?.type !== 'CallExpression' || value.callee.type !== 'MemberExpression') return false;
  const callback = callbackOf(cell, value);
  return memberName(value.callee) === 'map' && callback !== undefined && returnsPromise(cell, callback);
}

function callbackOf(cell: Cell, call: CallExpression): FunctionNode | undefined {
  const first = call.arguments[0];
  if (first === undefined) return undefined;
  if (isFunction(first)) return first;
  return first.type === 'Identifier' ? functionOf(cell, first) : undefined;
}

function returnsPromise(cell: Cell, callback: FunctionNode): boolean {
  if (callback.generator) return false;
  if (callback.async) return cell.takesTime;
  return callback.body.type === 'CallExpression' && promiseKind(cell, callback.body) === 'tool';
}

function forEach(cell: Cell, call: CallExpression): Draft[] {
  if (call.callee.type !== 'MemberExpression') return [];
  const { object, property } = call.callee;
  const statement = cell.parent(call)?.type === 'ExpressionStatement';
  const certain =
    statement && endsBefore(cell, call) && isList(cell, object) && !call.optional && !call.callee.optional;
  return [
    {
      code: 'async-callback',
      at: property.start,
      message: forEachText,
      ...(certain ? { edits: [...allEdits(call), { start: property.start, end: property.end, text: 'map' }] } : {}),
    },
  ];
}

function map(cell: Cell, call: CallExpression, name: string): Draft[] {
  const use = promiseUse(cell, call);
  const isInTime = typeof use === 'string' || !waitsBeforeUse(cell, use.declarator);
  const certain = cell.mayAwait(call) && name === 'map' && isInTime;
  const at = call.callee.type === 'MemberExpression' ? call.callee.property.start : call.start;
  const edits = certain ? { edits: allEdits(call) } : {};
  if (use === 'dropped') {
    if (!endsBefore(cell, call)) return [];
    return [{ code: 'async-callback', at, message: mapDroppedText, ...edits }];
  }
  if (use === 'kept' || use === 'tested' || !showsPromises(cell, use === 'value' ? call : use.declarator)) return [];
  return [{ code: 'async-callback', at, message: mapValueText, ...edits }];
}

/** A list of promises is a fine thing to have, but not to show. */
function showsPromises(cell: Cell, node: AnyNode): boolean {
  if (node.type !== 'VariableDeclarator') return isShown(cell, node);
  if (variableUse(cell, node) !== 'value') return false;
  const references = cell.names.declaredBy(node)?.references ?? [];
  return references.length > 0 && references.every((reference) => isShown(cell, reference));
}

function isShown(cell: Cell, node: AnyNode): boolean {
  const parent = cell.parent(node);
  if (parent?.type === 'CallExpression') return promiseUse(cell, node) === 'value' && parent.callee.type !== 'Super';
  return parent?.type === 'TemplateLiteral' || (parent?.type === 'MemberExpression' && memberName(parent) === 'join');
}

const allEdits = (call: CallExpression): Edit[] => [
  { start: call.start, end: call.start, text: 'await Promise.all(', around: { start: call.start, end: call.end } },
  { start: call.end, end: call.end, text: ')', around: { start: call.start, end: call.end } },
];

const listMethods: ReadonlySet<string> = new Set([
  'map',
  'filter',
  'slice',
  'split',
  'concat',
  'flatMap',
  'flat',
  'toSorted',
]);

/** Surely an array, which has `map` where a `Map` or a `Set` has not. */
function isList(cell: Cell, node: AnyNode | Expression, steps = 0): boolean {
  if (node.type === 'ArrayExpression') return true;
  if (node.type === 'Identifier' && steps < 5) {
    const declaration = cell.names.bindingOf(node)?.declaration;
    if (declaration?.type !== 'VariableDeclarator' || declaration.id.type !== 'Identifier') return false;
    const parent = cell.parent(declaration);
    const isConstant = parent?.type === 'VariableDeclaration' && parent.kind === 'const';
    return isConstant && declaration.init ? isList(cell, declaration.init, steps + 1) : false;
  }
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const name = memberName(node.callee) ?? '';
  const owner = cell.names.freeName(node.callee.object);
  if (owner === 'Object') return ['keys', 'values', 'entries'].includes(name);
  if (owner === 'Array') return name === 'from' || name === 'of';
  return name === 'split' || (listMethods.has(name) && isList(cell, node.callee.object, steps + 1));
}
