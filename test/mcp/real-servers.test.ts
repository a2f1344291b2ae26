import assert from 'node:assert/strict';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bench, call, ofType, toolOf } from './fixture-servers.js';

const server = (name: string) =>
  fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`));

test('the file system server and the memory server work', async (context) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'codemode-mcp-')));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'hello.txt'), 'hello ü');
  const memory = join(folder, 'memory.jsonl');
  const { connect, events, nothingLeft } = bench(context);
  const common = { kind: 'stdio', command: process.execPath } as const;
  const servers = await connect([
    { ...common, name: 'files', args: [server('filesystem'), folder], env: {} },
    { ...common, name: 'memory', args: [server('memory')], env: { MEMORY_FILE_PATH: memory } },
  ]);
  assert.deepEqual(
    ofType(events, 'ready')
      .map((event) => event.server)
      .sort(),
    ['files', 'memory'],
  );

  const read = toolOf(servers, 'files.read_text_file');
  assert.match(read.description, /file/i);
  assert.deepEqual(Object.keys((read.outputSchema as { properties: object }).properties), [
    'content',
    'structuredContent',
    'isError',
    '_meta',
  ]);
  const { content, structuredContent } = await call(servers, 'files.read_text_file', {
    path: join(folder, 'hello.txt'),
  });
  assert.deepEqual([content, structuredContent], [[{ type: 'text', text: 'hello ü' }], { content: 'hello ü' }]);
  const refused = await call(servers, 'files.read_text_file', { path: '/etc/passwd' });
  assert.equal(refused.isError, true);
  assert.match(refused.content[0]?.text ?? '', /denied/);
  const bad = await call(servers, 'files.read_text_file', { path: 7 });
  assert.equal(bad.isError, true);

  const entities = [{ name: 'Oslo', entityType: 'city', observations: ['is cold'] }];
  await call(servers, 'memory.create_entities', { entities });
  const graph = await call(servers, 'memory.read_graph');
  assert.deepEqual(graph.structuredContent, { entities, relations: [] });
  assert.match(await readFile(memory, 'utf8'), /Oslo/);
  await servers.close();
  nothingLeft();
});
