import type { AnyNode } from 'acorn';
import { type Cell, memberName, showing } from './cell.js';

/**
 * What becomes of a promise: `kept` (awaited, handed on, or nothing that we can be sure of), `dropped`, `value` (used as
 * if it were the result, which gives nonsense), `tested` (as a condition, where it may be meant to be true), or the
 * variable that it is put into.
 */
export type PromiseUse = 'kept' | 'dropped' | 'value' | 'tested' | { readonly declarator: VariableDeclarator };
type VariableDeclarator = Extract<AnyNode, { type: 'VariableDeclarator' }>;

export function promiseUse(cell: Cell, node: AnyNode): PromiseUse {
  const parent = cell.parent(node);
  switch (parent?.type) {
    case 'ChainExpression':
      return promiseUse(cell, parent);
    case 'ExpressionStatement':
      return 'dropped';
    case 'SequenceExpression':
      return parent.expressions.at(-1) === node ? promiseUse(cell, parent) : 'dropped';
    case 'ConditionalExpression':
      return parent.test === node ? 'tested' : promiseUse(cell, parent);
    case 'LogicalExpression':
      return parent.right === node ? promiseUse(cell, parent) : 'kept';
    case 'UnaryExpression':
      if (parent.operator === '!') return 'tested';
      return parent.operator === 'void' || parent.operator === 'typeof' ? 'kept' : 'value';
    case 'MemberExpression':
      if (parent.object !== node || ownMembers.has(memberName(parent) ?? '')) return 'kept';
      return isProbed(cell, parent) ? 'tested' : 'value';
    case 'IfStatement':
    case 'WhileStatement':
      return 'tested';
    case 'TemplateLiteral':
    case 'SwitchStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
      return 'value';
    case 'BinaryExpression':
      return binaryUse(parent, node);
    case 'SpreadElement':
      return 'value';
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' ? { declarator: parent } : 'value';
    case 'AssignmentExpression':
      if (parent.operator !== '=') return ['??=', '||=', '&&='].includes(parent.operator) ? 'kept' : 'value';
      return parent.left.type === 'ObjectPattern' || parent.left.type === 'ArrayPattern' ? 'value' : 'kept';
    case 'CallExpression':
      return isShown(cell, parent, node) ? 'value' : 'kept';
    case 'Property':
    case 'ObjectExpression':
    case 'ArrayExpression':
      return isShownInside(cell, parent) ? 'value' : 'kept';
    default:
      return 'kept';
  }
}

const ownMembers: ReadonlySet<string> = new Set(['then', 'catch', 'finally', 'constructor', 'toString']);

function binaryUse(parent: Extract<AnyNode, { type: 'BinaryExpression' }>, node: AnyNode): PromiseUse {
  if (['in', 'instanceof'].includes(parent.operator)) return 'kept';
  const other = parent.left === node ? parent.right : parent.left;
  // Two promises may well be compared, as after a race.
  if (!/^[!=]==?$/.test(parent.operator)) return 'value';
  if (other.type !== 'Literal') return 'kept';
  return other.value === null || typeof other.value === 'boolean' ? 'tested' : 'value';
}

/** `p.cancel?.()`, or a property that the cell itself gives the promise. */
function isProbed(cell: Cell, member: AnyNode): boolean {
  const parent = cell.parent(member);
  return (
    (parent?.type === 'CallExpression' && parent.callee === member && parent.optional) ||
    (parent?.type === 'AssignmentExpression' && parent.left === member) ||
    parent?.type === 'UpdateExpression'
  );
}

/** `text(p)`, `JSON.stringify(p)` and the like. */
function isShown(cell: Cell, call: Extract<AnyNode, { type: 'CallExpression' }>, node: AnyNode): boolean {
  const { callee } = call;
  const at = call.arguments.findIndex((argument) => argument.start === node.start && argument.end === node.end);
  if (callee.type === 'Identifier') {
    const name = cell.names.freeName(callee);
    if (name === undefined || at < 0) return false;
    if (name === 'store') return at === 1;
    return at === 0 && ([...showing, 'String', 'Number', 'parseInt', 'parseFloat'] as string[]).includes(name);
  }
  if (callee.type !== 'MemberExpression' || at !== 0) return false;
  const object = cell.names.freeName(callee.object);
  return object !== undefined && takesValues.has(`${object}.${memberName(callee)}`);
}

const takesValues: ReadonlySet<string> = new Set([
  'JSON.stringify',
  'JSON.parse',
  'Object.keys',
  'Object.values',
  'Object.entries',
  'Array.isArray',
  'Array.from',
  'console.log',
]);

/** In an object or a list that is shown as it is. */
function isShownInside(cell: Cell, node: AnyNode): boolean {
  let inner = node;
  let outer = cell.parent(node);
  while (outer?.type === 'Property' || outer?.type === 'ObjectExpression' || outer?.type === 'ArrayExpression')
    [inner, outer] = [outer, cell.parent(outer)];
  if (outer?.type !== 'CallExpression' || !isShown(cell, outer, inner)) return false;
  // `Array.from([p])` and `Object.values({p})` only repack what is in there.
  return outer.callee.type === 'Identifier' || cell.text(outer.callee) === 'JSON.stringify';
}

/** How a variable that holds a promise is used: as a value or a condition only, never, or as a promise at least once. */
export function variableUse(cell: Cell, declarator: VariableDeclarator): 'value' | 'tested' | 'dropped' | 'kept' {
  const { id } = declarator;
  if (id.type !== 'Identifier') return 'kept';
  const binding = cell.names.declaredBy(declarator);
  const declaration = cell.parent(declarator);
  if (binding === undefined || declaration === undefined) return 'kept';
  if (cell.parent(declaration)?.type === 'ExportNamedDeclaration') return 'kept';
  if (binding.references.length === 0) return 'dropped';
  const uses = binding.references.map((reference) => promiseUse(cell, reference));
  // A lone `r;` uses nothing; written to, it is another value from then on.
  if (uses.every((use) => use === 'dropped')) return 'dropped';
  if (!uses.every((use) => use === 'value' || use === 'tested' || use === 'dropped')) return 'kept';
  if (isWritten(cell, binding.references)) return 'kept';
  return uses.includes('tested') ? 'tested' : 'value';
}

/** Whether the cell waits for something else before it uses the variable: that may have to happen first. */
export function waitsBeforeUse(cell: Cell, declarator: VariableDeclarator): boolean {
  const references = cell.names.declaredBy(declarator)?.references ?? [];
  const home = cell.functionAround(declarator);
  // What is used in another function is used later than it stands.
  const last = references.reduce(
    (end, reference) => (cell.functionAround(reference) === home ? Math.max(end, reference.start) : cell.source.length),
    0,
  );
  return cell.waitsBetween(declarator.end, last);
}

const isWritten = (cell: Cell, references: readonly AnyNode[]): boolean =>
  references.some((reference) => {
    const parent = cell.parent(reference);
    return (
      (parent?.type === 'AssignmentExpression' && parent.left === reference) || parent?.type === 'UpdateExpression'
    );
  });
