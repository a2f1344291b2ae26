import type { AnyNode } from 'acorn';
import { type Cell, memberName } from '../cell.js';
import type { Draft } from '../finding.js';
import { valueNotShownText } from '../messages.js';

/** A cell that outputs nothing and ends in a value, as one would write it at a prompt. */
export function shownValues(cell: Cell): Draft[] {
  const last = cell.program.body.at(-1);
  if (cell.showsSomething || !cell.isGlobal('text')) return [];
  const value =
    last?.type === 'ExpressionStatement' && last.directive === undefined
      ? last.expression
      : last?.type === 'ExportDefaultDeclaration'
        ? last.declaration
        : undefined;
  if (last === undefined || value === undefined || !isValue(cell, value)) return [];
  const around = { start: value.start, end: value.end };
  const [open, close] = isShowable(cell, value) ? ['text(', ')'] : [guard, ')'];
  const edits = [
    { start: last.start, end: value.start, text: open, around },
    { start: value.end, end: value.end, text: close, around },
  ];
  // `(a, b)` has its parentheses outside of the expression.
  const plain = last.type === 'ExportDefaultDeclaration' || last.start === value.start;
  return [{ code: 'value-not-shown', at: value.start, message: valueNotShownText, ...(plain ? { edits } : {}) }];
}

/** What is no JSON shows nothing, or makes `text` throw, as the cell has not done without: a list that has itself in it. */
const guard = 'void ((value) => { try { if (JSON.stringify(value) !== undefined) text(value); } catch {} })(';

/** Surely text, or JSON. */
function isShowable(cell: Cell, node: AnyNode, steps = 0): boolean {
  switch (node.type) {
    case 'Literal':
      return node.bigint == null;
    case 'TemplateLiteral':
      return true;
    case 'BinaryExpression':
      return isShowable(cell, node.left) && isShowable(cell, node.right);
    case 'AwaitExpression':
      return node.argument.type === 'CallExpression' && cell.toolName(node.argument) !== undefined;
    case 'CallExpression':
      return node.callee.type === 'MemberExpression' && cell.text(node.callee) === 'JSON.stringify';
    case 'Identifier': {
      const declaration = cell.names.bindingOf(node)?.declaration;
      const parent = declaration && cell.parent(declaration);
      if (declaration?.type !== 'VariableDeclarator' || declaration.id.type !== 'Identifier' || steps > 5) return false;
      const isConstant = parent?.type === 'VariableDeclaration' && parent.kind === 'const';
      // What a tool returned is JSON, until something is put into it.
      const isUntouched = cell.names.declaredBy(declaration)?.references.length === 1;
      return isConstant && isUntouched && declaration.init != null && isShowable(cell, declaration.init, steps + 1);
    }
    default:
      return false;
  }
}

const pure: ReadonlySet<string> = new Set([
  ...['map', 'filter', 'join', 'slice', 'reduce', 'flatMap', 'flat', 'trim', 'split', 'find', 'includes', 'toFixed'],
  ...['toString', 'toUpperCase', 'toLowerCase', 'concat', 'some', 'every', 'at', 'indexOf', 'replace', 'replaceAll'],
]);

/** Surely evaluated for its value: nobody writes it for what it does. */
function isValue(cell: Cell, node: AnyNode): boolean {
  switch (node.type) {
    case 'Identifier':
      return cell.names.freeName(node) === undefined || node.name === 'ALL_TOOLS';
    case 'Literal':
    case 'TemplateLiteral':
    case 'ObjectExpression':
    case 'ArrayExpression':
    case 'BinaryExpression':
      return true;
    case 'MemberExpression':
      return !node.computed || node.property.type === 'Literal' || node.property.type === 'Identifier';
    case 'AwaitExpression':
      return node.argument.type === 'Identifier';
    case 'ConditionalExpression':
      return isValue(cell, node.consequent) && isValue(cell, node.alternate);
    case 'ChainExpression':
      return isValue(cell, node.expression);
    case 'CallExpression': {
      if (node.callee.type !== 'MemberExpression') return false;
      const name = memberName(node.callee) ?? '';
      const owner = cell.names.freeName(node.callee.object);
      if (owner !== undefined)
        return (owner === 'JSON' && name === 'stringify') || owner === 'Math' || owner === 'ALL_TOOLS';
      return pure.has(name) && !cell.isToolsObject(node.callee.object);
    }
    default:
      return false;
  }
}
