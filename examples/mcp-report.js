// A cell: what are the examples in this folder about, and which tools do they call?
//   codemode-run --mcp examples/mcp.json examples/mcp-report.js
// It reads the files through one MCP server, keeps what it learns in another one, and prints what that one remembers.

/** Tools of MCP resolve also when they fail: the result says so. */
async function call(tool, input) {
  const result = await tools[tool](input);
  if (result.isError) throw new Error(`${tool}: ${result.content.map((block) => block.text).join('\n')}`);
  return result.structuredContent;
}

const { content: listing } = await call('mcp__files__list_directory', { path: '.' });
const cells = listing
  .split('\n')
  .map((line) => line.replace('[FILE] ', ''))
  .filter((name) => name.endsWith('.js') && !name.endsWith('.tools.js'))
  .sort();

const read = await Promise.all(
  cells.map(async (name) => {
    const { content } = await call('mcp__files__read_text_file', { path: name });
    const about = content.split('\n')[0].replace(/^\/\/ (A cell: )?/, '');
    return { name, about, used: [...new Set([...content.matchAll(/\btools\.(\w+)\(/g)].map(([, tool]) => tool))] };
  }),
);

// The memory lasts longer than a run: what is left of an earlier one goes first.
const used = [...new Set(read.flatMap((cell) => cell.used))].sort();
await call('mcp__memory__delete_entities', { entityNames: [...cells, ...used] });
await call('mcp__memory__create_entities', {
  entities: [
    ...read.map(({ name, about }) => ({ name, entityType: 'cell', observations: [about] })),
    ...used.map((name) => ({ name, entityType: 'tool', observations: [] })),
  ],
});
await call('mcp__memory__create_relations', {
  relations: read.flatMap(({ name, used: calls }) => calls.map((to) => ({ from: name, to, relationType: 'calls' }))),
});

const graph = await call('mcp__memory__open_nodes', { names: [...cells, ...used] });
for (const { name, observations } of graph.entities.filter(({ entityType }) => entityType === 'cell')) {
  const calls = graph.relations.filter(({ from }) => from === name).map(({ to }) => to);
  text(`${name}: ${observations[0]}${calls.length === 0 ? '' : ` (calls ${calls.join(', ')})`}`);
}
const count = (type) => graph.entities.filter(({ entityType }) => entityType === type).length;
text(`${count('cell')} cells call ${count('tool')} tools`);
