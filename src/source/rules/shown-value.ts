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
  const edits = [
    { start: last.start, end: value.start, text: 'text(', around },
    { start: value.end, end: value.end, text: ')', around },
  ];
  // `(a, b)` has its parentheses outside of the expression.
  const plain = last.type === 'ExportDefaultDeclaration' || last.start === value.start;
  return [{ code: 'value-not-shown', at: value.start, message: valueNotShownText, ...(plain ? { edits } : {}) }];
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
