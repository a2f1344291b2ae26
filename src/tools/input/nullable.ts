type Node = Record<string, unknown>;

/** OpenAPI says with a flag that null is as good as what the schema asks for otherwise. */
export function nullable(node: Node, nodeOf: () => Node): Node {
  const nothing = (): Node => Object.assign(nodeOf(), { type: 'null' });
  const { type, anyOf, oneOf } = node;
  if (type !== undefined) node.type = [...new Set([type, 'null'].flat())];
  if (Array.isArray(node.enum) && !node.enum.includes(null)) node.enum = [...node.enum, null];
  if (Array.isArray(anyOf)) node.anyOf = [...anyOf, nothing()];
  if (Array.isArray(oneOf)) node.oneOf = [...oneOf, nothing()];
  const strict = ['$ref', 'allOf', 'const', 'not'].some((keyword) => node[keyword] !== undefined);
  return strict ? Object.assign(nodeOf(), { anyOf: [node, nothing()] }) : node;
}
