import type { AnyNode } from 'acorn';
import { type Cell, type FunctionNode, isFunction } from '../cell.js';
import type { Draft, Edit } from '../finding.js';
import { functionNotCalledText, functionValueText } from '../messages.js';

/** Cells that only define the function that was to do the work. */
export function entries(cell: Cell): Draft[] {
  const body = cell.program.body.filter((node) => !(node.type === 'ExpressionStatement' && node.directive));
  const [only] = body;
  if (body.length === 1 && only?.type === 'ExpressionStatement' && isFunction(only.expression))
    return [wholeCell(cell, only.expression, only.expression)];
  if (
    body.length === 1 &&
    only?.type === 'ExportDefaultDeclaration' &&
    isFunction(only.declaration) &&
    !named(only.declaration)
  )
    return [wholeCell(cell, only, only.declaration)];
  if (body.length === 0 || !body.every((node) => isInert(node))) return [];
  if (!cell.takesTime && !cell.showsSomething) return [];
  const unused = body.flatMap((node) => declared(node)).filter(({ node }) => !isReferenced(cell, node));
  const entry = unused.length === 1 ? unused[0] : unused.find(({ name }) => usualNames.has(name));
  if (entry === undefined) return [];
  const { end } = cell.program;
  const edits = needsNothing(entry.node)
    ? { edits: [{ start: end, end, text: `\n${call(cell, entry.node, entry.name)}` }] }
    : {};
  return [{ code: 'function-not-called', at: entry.node.start, message: functionNotCalledText(entry.name), ...edits }];
}

const usualNames: ReadonlySet<string> = new Set([
  'main',
  'run',
  'execute',
  'start',
  'handler',
  'solve',
  'init',
  'task',
]);

const named = (node: FunctionNode): boolean => node.type === 'FunctionDeclaration' && Boolean(node.id);

/** A program that is one function, as other code modes want it. */
function wholeCell(cell: Cell, whole: AnyNode, node: FunctionNode): Draft {
  const draft = { code: 'function-not-called', at: node.start, message: functionValueText } as const;
  if (!needsNothing(node)) return draft;
  const [open, close] = showsResult(cell, node) ? ['text(await (', ')())'] : ['await (', ')()'];
  const around = { start: node.start, end: node.end };
  const edits: Edit[] = [
    { start: whole.start, end: node.start, text: open, around },
    { start: node.end, end: node.end, text: close, around },
  ];
  return { ...draft, edits };
}

const call = (cell: Cell, node: FunctionNode, name: string): string =>
  showsResult(cell, node) ? `text(await ${name}());` : `await ${name}();`;

/** Where the function shows nothing itself, what it returns is meant to be seen. */
const showsResult = (cell: Cell, node: FunctionNode): boolean =>
  !cell.showsSomething && cell.isGlobal('text') && returnsValue(cell, node);

function returnsValue(cell: Cell, node: FunctionNode): boolean {
  if (node.body.type !== 'BlockStatement') return true;
  return cell.names.nodes.some(
    (inner) => inner.type === 'ReturnStatement' && inner.argument && cell.functionAround(inner) === node,
  );
}

const needsNothing = (node: FunctionNode): boolean =>
  !node.generator && node.params.every(({ type }) => type === 'AssignmentPattern' || type === 'RestElement');

/** Does nothing when it runs. */
function isInert(node: AnyNode): boolean {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'EmptyStatement':
    case 'Literal':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return true;
    case 'VariableDeclaration':
      return node.declarations.every(({ init }) => !init || isInert(init));
    case 'ExportNamedDeclaration':
      return !node.source && (!node.declaration || isInert(node.declaration));
    case 'ExportDefaultDeclaration':
      return isInert(node.declaration) || node.declaration.type === 'Identifier';
    case 'ArrayExpression':
      return node.elements.every((element) => element !== null && isInert(element));
    case 'ObjectExpression':
      return node.properties.every((property) => property.type === 'Property' && isInert(property.value));
    case 'TemplateLiteral':
      return node.expressions.length === 0;
    default:
      return false;
  }
}

interface Declared {
  readonly name: string;
  readonly node: FunctionNode;
}

function declared(node: AnyNode): Declared[] {
  if (node.type === 'ExportNamedDeclaration') return node.declaration ? declared(node.declaration) : [];
  if (node.type === 'ExportDefaultDeclaration') return declared(node.declaration);
  if (node.type === 'FunctionDeclaration') return node.id ? [{ name: node.id.name, node }] : [];
  if (node.type !== 'VariableDeclaration') return [];
  return node.declarations.flatMap(({ id, init }) =>
    id.type === 'Identifier' && isFunction(init) ? [{ name: id.name, node: init }] : [],
  );
}

/** Exports are for nobody. */
function isReferenced(cell: Cell, node: FunctionNode): boolean {
  const declarator = cell.parent(node);
  const binding = cell.names.declaredBy(node.type === 'FunctionDeclaration' || !declarator ? node : declarator);
  return (
    binding?.references.some((use) => {
      const inside = use.start >= node.start && use.end <= node.end;
      return !inside && !/^Export/.test(cell.parent(use)?.type ?? '');
    }) ?? true
  );
}
