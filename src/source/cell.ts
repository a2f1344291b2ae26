import type { AnyNode, CallExpression, Program } from 'acorn';
import { Names } from './scope.js';

/** What rules look at: a cell that was parsed, its names, and the tools that it may call. */
export class Cell {
  readonly source: string;
  readonly program: Program;
  readonly names: Names;
  readonly tools: ReadonlySet<string> | undefined;
  readonly commandTool: string | undefined;
  /** Where an `await` stands in a function that is not async. */
  readonly misplacedAwaits: readonly number[];
  /** The names of tools that are used without `tools.`. */
  readonly bareTools: ReadonlySet<string>;
  /** What the cell itself has put on `tools`: that is no tool any more. */
  readonly #ownTools = new Set<string>();
  #lastWait: number | undefined;
  #waits: readonly number[] | undefined;
  #catches: boolean | undefined;
  #statementsBefore: Map<AnyNode, AnyNode> | undefined;

  constructor(
    source: string,
    program: Program,
    options: {
      readonly tools?: readonly string[] | undefined;
      readonly commandTool?: string | undefined;
      readonly misplacedAwaits?: readonly number[] | undefined;
    },
  ) {
    this.source = source;
    this.program = program;
    this.names = new Names(program);
    this.tools = options.tools === undefined ? undefined : new Set(options.tools);
    this.commandTool = options.commandTool;
    this.misplacedAwaits = options.misplacedAwaits ?? [];
    for (const node of this.names.nodes) {
      if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') continue;
      if (this.names.freeName(node.left.object) === 'tools') this.#ownTools.add(memberName(node.left) ?? '');
    }
    this.bareTools = new Set(
      options.tools?.filter((name) => this.names.free.has(name) && !cellNames.has(name) && !(name in globalThis)),
    );
  }

  text(node: AnyNode): string {
    return this.source.slice(node.start, node.end);
  }

  parent(node: AnyNode): AnyNode | undefined {
    return this.names.parents.get(node);
  }

  /** The statement that stands before another one in the same list. */
  statementBefore(statement: AnyNode): AnyNode | undefined {
    this.#statementsBefore ??= new Map(
      this.names.nodes.flatMap((node) => {
        const list: readonly AnyNode[] =
          node.type === 'SwitchCase'
            ? node.consequent
            : node.type === 'Program' || node.type === 'BlockStatement'
              ? node.body
              : [];
        return list.flatMap((one, index): [AnyNode, AnyNode][] => {
          const before = list[index - 1];
          return before === undefined ? [] : [[one, before]];
        });
      }),
    );
    return this.#statementsBefore.get(statement);
  }

  /** The function around a node: undefined at top level. */
  functionAround(node: AnyNode): FunctionNode | undefined {
    let inner = node;
    for (let outer = this.parent(node); outer !== undefined; outer = this.parent(outer)) {
      if (isFunction(outer)) return outer;
      // Neither is a place for `await`; the cell cannot tell them from functions that are not async.
      if (outer.type === 'StaticBlock' || (outer.type === 'PropertyDefinition' && inner !== outer.key)) return notAsync;
      inner = outer;
    }
    return undefined;
  }

  /** Whether an `await` may be written there. In parameters it may not, even of async functions. */
  mayAwait(node: AnyNode): boolean {
    let inner = node;
    let outer = this.parent(node);
    while (outer !== undefined && !isFunction(outer)) [inner, outer] = [outer, this.parent(outer)];
    if (outer !== undefined && inner !== outer.body) return false;
    const around = this.functionAround(node);
    return around === undefined || around.async;
  }

  /** Whether the name is that of the host, not one of the cell's own. */
  isGlobal(name: string): boolean {
    return !this.names.declared.has(name);
  }

  /** Whether the cell waits for anything, at top level, after this place. */
  waitsAfter(offset: number): boolean {
    this.#lastWait ??= this.names.nodes.reduce(
      (last, node) =>
        (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)) &&
        node.end > last &&
        this.functionAround(node) === undefined
          ? node.end
          : last,
      0,
    );
    return this.#lastWait > offset;
  }

  /** Whether the cell waits for anything, anywhere, between two places. */
  waitsBetween(from: number, to: number): boolean {
    this.#waits ??= this.names.nodes
      .flatMap((node) =>
        node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await) ? [node.start] : [],
      )
      .sort((a, b) => a - b);
    let low = 0;
    let high = this.#waits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#waits[middle] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    return (this.#waits[low] ?? to) < to;
  }

  /** Whether the cell may go on when this throws: then it may well be meant to. */
  mayBeCaught(node: AnyNode): boolean {
    let inner = node;
    for (let outer = this.parent(node); outer !== undefined; outer = this.parent(outer)) {
      if (outer.type === 'TryStatement' && outer.handler && inner === outer.block) return true;
      if (outer.type === 'CallExpression' && outer.callee === inner && isCatching(outer)) return true;
      // Whoever calls the function may catch.
      if (isFunction(outer)) {
        this.#catches ??= this.names.nodes.some(
          (any) =>
            (any.type === 'TryStatement' && any.handler) ||
            (any.type === 'CallExpression' && isCatching(any)) ||
            (any.type === 'Identifier' && /^(as|stream)_settled$/.test(any.name)),
        );
        if (this.#catches) return true;
      }
      inner = outer;
    }
    return false;
  }

  /** Whether the cell puts anything out, or keeps anything, anywhere. */
  get showsSomething(): boolean {
    return outputs.some((name) => this.names.free.has(name)) || this.names.free.has('globalThis');
  }

  /** Whether something in the cell takes its time: until then even promises are settled when the cell ends. */
  get takesTime(): boolean {
    return ['tools', 'setTimeout'].some((name) => this.names.free.has(name)) || this.bareTools.size > 0;
  }

  /** `tools.NAME(…)`, also through a name of the cell's own. Undefined: no call of a tool. */
  toolName(call: CallExpression): { readonly name: string | undefined } | undefined {
    const { callee } = call;
    if (callee.type === 'Identifier') {
      if (this.names.freeName(callee) !== undefined)
        return this.bareTools.has(callee.name) ? { name: callee.name } : undefined;
      return this.#aliased(callee);
    }
    if (callee.type !== 'MemberExpression' || !this.isToolsObject(callee.object)) return undefined;
    const name = memberName(callee);
    return this.#ownTools.has(name ?? '') ? undefined : { name };
  }

  /** `tools`, or a constant that is nothing else. */
  isToolsObject(node: AnyNode): boolean {
    if (node.type !== 'Identifier') return false;
    if (this.names.freeName(node) === 'tools') return true;
    const declaration = this.names.bindingOf(node)?.declaration;
    return (
      declaration?.type === 'VariableDeclarator' &&
      declaration.id.type === 'Identifier' &&
      this.names.freeName(declaration.init) === 'tools' &&
      this.#isConstant(declaration)
    );
  }

  #isConstant(declarator: AnyNode): boolean {
    const parent = this.parent(declarator);
    return parent?.type === 'VariableDeclaration' && parent.kind === 'const';
  }

  #aliased(callee: Extract<AnyNode, { type: 'Identifier' }>): { readonly name: string | undefined } | undefined {
    const declaration = this.names.bindingOf(callee)?.declaration;
    if (declaration?.type !== 'VariableDeclarator' || !declaration.init || !this.#isConstant(declaration))
      return undefined;
    const { id, init } = declaration;
    if (id.type === 'Identifier')
      return init.type === 'MemberExpression' && this.isToolsObject(init.object)
        ? { name: memberName(init) }
        : undefined;
    if (id.type !== 'ObjectPattern' || !this.isToolsObject(init)) return undefined;
    for (const property of id.properties) {
      if (property.type === 'Property' && property.value.type === 'Identifier' && property.value.name === callee.name)
        return { name: keyName(property) };
    }
    return undefined;
  }
}

export type FunctionNode = Extract<
  AnyNode,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>;

export const isFunction = (node: AnyNode | null | undefined): node is FunctionNode =>
  node?.type === 'FunctionDeclaration' ||
  node?.type === 'FunctionExpression' ||
  node?.type === 'ArrowFunctionExpression';

/** `p.catch(…)`, `p.then(…, …)`, `Promise.allSettled(…)`, and those that go on with the next promise. */
function isCatching({ callee, arguments: given }: CallExpression): boolean {
  if (callee.type !== 'MemberExpression') return false;
  const name = memberName(callee) ?? '';
  return /^(catch|allSettled|any|race)$/.test(name) || (name === 'then' && given.length > 1);
}

const notAsync: FunctionNode = {
  type: 'FunctionExpression',
  start: 0,
  end: 0,
  params: [],
  body: { type: 'BlockStatement', start: 0, end: 0, body: [] },
  generator: false,
  expression: false,
  async: false,
};

/** The name of a property where it can be read off the source. */
export function memberName(node: Extract<AnyNode, { type: 'MemberExpression' }>): string | undefined {
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : undefined;
  return node.property.type === 'Literal' && typeof node.property.value === 'string' ? node.property.value : undefined;
}

export function keyName(property: { readonly computed: boolean; readonly key: AnyNode }): string | undefined {
  const { key } = property;
  if (key.type === 'Identifier' && !property.computed) return key.name;
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined;
}

/** Helpers that show a value, or keep it. */
export const showing = ['text', 'image', 'audio', 'generatedImage', 'content', 'notify'] as const;
const outputs = [...showing, 'store', 'exit', 'yield_control', 'console', 'print', 'eval'];

/** Everything that a cell finds beside the language itself. */
export const cellNames: ReadonlySet<string> = new Set([
  ...showing,
  'tools',
  'ALL_TOOLS',
  'store',
  'load',
  'yield_control',
  'exit',
  'setTimeout',
  'clearTimeout',
  'as_settled',
  'stream_settled',
]);
