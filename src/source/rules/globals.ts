import type { AnyNode, CallExpression, Identifier } from 'acorn';
import { type Cell, memberName } from '../cell.js';
import type { Draft, Edit } from '../finding.js';
import { absentGlobals, consoleText, importText, printText, pythonNameText, requireText } from '../messages.js';

/**
 * What cells do not have: modules, `console`, and the globals of Node, browsers and Python. Their names throw: where the
 * cell may catch that, nothing is mended.
 */
export const absentNames = (cell: Cell): Draft[] => [
  ...modules(cell),
  ...consoles(cell),
  ...pythonNames(cell),
  ...globals(cell),
];

function modules(cell: Cell): Draft[] {
  const drafts: Draft[] = [];
  for (const node of cell.names.nodes) {
    if (node.type === 'ImportDeclaration') {
      const from = String(node.source.value);
      // What the cell has anyway; the line can go.
      const needless = node.specifiers.every(({ local, ...specifier }) => {
        const imported = 'imported' in specifier ? cell.text(specifier.imported) : '';
        return imported === local.name && helperNames.has(local.name);
      });
      const edits = needless && node.specifiers.length > 0 ? { edits: [erase(cell, node)] } : {};
      drafts.push({ code: 'no-modules', at: node.start, message: importText(from), ...edits });
    } else if (node.type === 'ImportExpression' || (node.type === 'ExportAllDeclaration' && node.source)) {
      drafts.push({ code: 'no-modules', at: node.start, message: importText(cell.text(node.source)) });
    } else if (node.type === 'ExportNamedDeclaration' && node.source) {
      drafts.push({ code: 'no-modules', at: node.start, message: importText(cell.text(node.source)) });
    }
  }
  for (const name of ['require', 'module', 'exports']) {
    for (const node of usable(cell, name))
      drafts.push({ code: 'no-modules', at: node.start, message: requireText(name) });
  }
  return drafts;
}

const helperNames: ReadonlySet<string> = new Set([
  'tools',
  'text',
  'image',
  'notify',
  'store',
  'load',
  'exit',
  'content',
]);

const erase = (cell: Cell, node: AnyNode): Edit => ({
  start: node.start,
  end: node.end,
  text: cell.text(node).replace(/[^\n\r]/g, ' '),
});

/** The uses of a global, unless the cell looks whether it is there or makes it itself. */
function usable(cell: Cell, name: string): readonly Identifier[] {
  const uses = cell.names.free.get(name);
  if (uses === undefined) return [];
  const careful = uses.some((node) => {
    const parent = cell.parent(node);
    return parent?.type === 'UnaryExpression' && parent.operator === 'typeof';
  });
  const made = new RegExp(`\\bglobalThis\\s*(\\.|\\[)\\s*['"]?${name}\\b|['"]${name}['"]\\s+in\\s`).test(cell.source);
  return careful || made ? [] : uses;
}

const consoleMethods: ReadonlySet<string> = new Set(['log', 'info', 'warn', 'error', 'debug', 'dir', 'trace']);

function consoles(cell: Cell): Draft[] {
  return usable(cell, 'console').map((node): Draft => {
    const draft = { code: 'no-console', at: node.start, message: consoleText } as const;
    const member = cell.parent(node);
    if (member?.type !== 'MemberExpression' || !consoleMethods.has(memberName(member) ?? '')) return draft;
    if (!cell.isGlobal('text') || cell.mayBeCaught(node)) return draft;
    const call = cell.parent(member);
    const edits =
      call?.type === 'CallExpression' && call.callee === member ? printed(cell, call, member) : [textInstead(member)];
    return edits === undefined ? draft : { ...draft, edits };
  });
}

const textInstead = (node: AnyNode): Edit => ({ start: node.start, end: node.end, text: 'text' });

/** Several values become one line, as `console.log` would have it. */
function printed(cell: Cell, call: CallExpression, callee: AnyNode): Edit[] | undefined {
  const { length } = call.arguments;
  const [first] = call.arguments;
  if (first === undefined) return [{ start: callee.start, end: call.end, text: 'text("")' }];
  if (length === 1) return first.type === 'SpreadElement' ? undefined : [textInstead(callee)];
  // Each argument may stand in parentheses of its own.
  const open = /^(?:\s|\?\.|\/\/.*|\/\*[\s\S]*?\*\/)*\(/.exec(cell.source.slice(callee.end, first.start));
  if (open === null) return undefined;
  const line = '].map((value) => typeof value === "object" ? JSON.stringify(value) : String(value)).join(" ")';
  const [start, end] = [callee.end + open[0].length, call.end - 1];
  return [textInstead(callee), { start, end: start, text: '[' }, { start: end, end, text: line }];
}

const pythonWords: Readonly<Record<string, string>> = { True: 'true', False: 'false', None: 'null' };

function pythonNames(cell: Cell): Draft[] {
  const words = Object.entries(pythonWords).flatMap(([name, word]) =>
    usable(cell, name).map(
      (node): Draft => ({
        code: 'python-code',
        at: node.start,
        message: pythonNameText(name, word),
        ...(cell.mayBeCaught(node) ? {} : { edits: [{ start: node.start, end: node.end, text: word }] }),
      }),
    ),
  );
  const prints = usable(cell, 'print').flatMap((node): Draft[] => {
    const call = cell.parent(node);
    if (call?.type !== 'CallExpression' || call.callee !== node) return [];
    const edits = cell.isGlobal('text') && !cell.mayBeCaught(node) ? printed(cell, call, node) : undefined;
    return [{ code: 'python-code', at: node.start, message: printText, ...(edits ? { edits } : {}) }];
  });
  return [...words, ...prints];
}

function globals(cell: Cell): Draft[] {
  return absentGlobals.flatMap(([names, hint]) =>
    names.flatMap((name) =>
      // Each name once: the rest of them tells nothing new.
      usable(cell, name)
        .slice(0, 1)
        .map((node): Draft => ({ code: 'unavailable-global', at: node.start, message: hint(name, cell.commandTool) })),
    ),
  );
}
