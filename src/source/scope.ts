import type { AnyNode, Identifier, Program } from 'acorn';
import { childrenOf } from './syntax.js';

/** A name that the cell declares. */
export interface Binding {
  readonly name: string;
  /** The declarator, function, class, parameter, import or catch clause. */
  readonly declaration: AnyNode;
  readonly references: Identifier[];
}

class Scope {
  readonly names = new Map<string, Binding>();
  readonly parent: Scope | undefined;
  /** Where `var` goes. */
  readonly home: Scope;

  constructor(parent: Scope | undefined, isHome: boolean) {
    this.parent = parent;
    this.home = isHome || parent === undefined ? this : parent.home;
  }

  find(name: string): Binding | undefined {
    return this.names.get(name) ?? this.parent?.find(name);
  }
}

/** Who is who in a cell: every name that is used, and where it was declared, if it was. */
export class Names {
  readonly parents = new Map<AnyNode, AnyNode>();
  readonly nodes: AnyNode[] = [];
  /** Names that the cell uses and does not declare. */
  readonly free = new Map<string, Identifier[]>();
  /** Every name that the cell declares anywhere. */
  readonly declared = new Set<string>();
  readonly #byDeclaration = new Map<AnyNode, Binding>();
  readonly #bound = new Map<Identifier, Binding>();
  readonly #used: { readonly node: Identifier; readonly scope: Scope }[] = [];

  constructor(program: Program) {
    const top = new Scope(undefined, true);
    this.nodes.push(program);
    for (const statement of program.body) this.#visit(statement, program, top);
    for (const { node, scope } of this.#used) {
      const binding = scope.find(node.name);
      if (binding !== undefined) {
        binding.references.push(node);
        this.#bound.set(node, binding);
      } else {
        const others = this.free.get(node.name);
        if (others === undefined) this.free.set(node.name, [node]);
        else others.push(node);
      }
    }
  }

  bindingOf(node: Identifier): Binding | undefined {
    return this.#bound.get(node);
  }

  /** What a declarator or a function with one name declares. */
  declaredBy(declaration: AnyNode): Binding | undefined {
    return this.#byDeclaration.get(declaration);
  }

  /** The name where nothing in the cell declares it. */
  freeName(node: AnyNode | null | undefined): string | undefined {
    return node?.type === 'Identifier' && !this.#bound.has(node) ? node.name : undefined;
  }

  #enter(node: AnyNode, parent: AnyNode): void {
    this.parents.set(node, parent);
    this.nodes.push(node);
  }

  #all(node: AnyNode, scope: Scope, except: readonly (AnyNode | null | undefined)[] = []): void {
    for (const child of childrenOf(node)) if (!except.includes(child)) this.#visit(child, node, scope);
  }

  #visit(node: AnyNode, parent: AnyNode, scope: Scope): void {
    this.#enter(node, parent);
    switch (node.type) {
      case 'Identifier':
        this.#used.push({ node, scope });
        return;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.#function(node, scope);
        return;
      case 'ClassDeclaration':
      case 'ClassExpression': {
        const inner = new Scope(scope, false);
        if (node.id) this.#declare(node.id, node, node.type === 'ClassDeclaration' ? scope : inner);
        this.#all(node, inner, [node.id]);
        return;
      }
      case 'VariableDeclaration':
        for (const declarator of node.declarations) {
          this.#enter(declarator, node);
          this.#pattern(declarator.id, declarator, declarator, node.kind === 'var' ? scope.home : scope, scope);
          if (declarator.init) this.#visit(declarator.init, declarator, scope);
        }
        return;
      case 'CatchClause': {
        const inner = new Scope(scope, false);
        if (node.param) this.#pattern(node.param, node, node, inner, inner);
        this.#visit(node.body, node, inner);
        return;
      }
      case 'ImportDeclaration':
        for (const specifier of node.specifiers) this.#declare(specifier.local, node, scope);
        return;
      case 'BlockStatement':
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
      case 'SwitchStatement':
        this.#all(node, new Scope(scope, false));
        return;
      case 'StaticBlock':
        this.#all(node, new Scope(scope, true));
        return;
      case 'MemberExpression':
        this.#all(node, scope, [node.computed ? null : node.property]);
        return;
      case 'Property':
      case 'MethodDefinition':
      case 'PropertyDefinition':
        this.#all(node, scope, [node.computed ? null : node.key]);
        return;
      case 'LabeledStatement':
        this.#visit(node.body, node, scope);
        return;
      case 'ExportNamedDeclaration':
        if (node.declaration) this.#visit(node.declaration, node, scope);
        else if (!node.source) for (const { local } of node.specifiers) this.#visit(local, node, scope);
        return;
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty':
      case 'ExportAllDeclaration':
        return;
      default:
        this.#all(node, scope);
    }
  }

  #function(node: Extract<AnyNode, { params: unknown }>, scope: Scope): void {
    const inner = new Scope(scope, true);
    if (node.id) this.#declare(node.id, node, node.type === 'FunctionDeclaration' ? scope : inner);
    for (const param of node.params) this.#pattern(param, node, param, inner, inner);
    this.#visit(node.body, node, inner);
  }

  #declare(id: Identifier, declaration: AnyNode, scope: Scope): void {
    this.parents.set(id, declaration);
    const known = scope.names.get(id.name);
    if (known !== undefined) return;
    const binding = { name: id.name, declaration, references: [] };
    scope.names.set(id.name, binding);
    this.declared.add(id.name);
    this.#byDeclaration.set(declaration, binding);
  }

  /** The names in a pattern are declared in one scope; the expressions in it see another. */
  #pattern(node: AnyNode, parent: AnyNode, declaration: AnyNode, target: Scope, scope: Scope): void {
    if (node.type === 'Identifier') {
      this.#declare(node, declaration, target);
      return;
    }
    this.#enter(node, parent);
    if (node.type === 'AssignmentPattern') {
      this.#pattern(node.left, node, declaration, target, scope);
      this.#visit(node.right, node, scope);
    } else if (node.type === 'RestElement') {
      this.#pattern(node.argument, node, declaration, target, scope);
    } else if (node.type === 'ArrayPattern') {
      for (const element of node.elements) if (element) this.#pattern(element, node, declaration, target, scope);
    } else if (node.type === 'ObjectPattern') {
      for (const property of node.properties) {
        if (property.type === 'RestElement') {
          this.#pattern(property, node, declaration, target, scope);
          continue;
        }
        this.#enter(property, node);
        if (property.computed) this.#visit(property.key, property, scope);
        this.#pattern(property.value, property, declaration, target, scope);
      }
    } else {
      this.#visit(node, parent, scope);
    }
  }
}
