import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Document } from './document.js';

const tools = new Document('docs/tools.md');

test('the commands in docs/tools.md print what stands below them', async (context) => {
  assert.ok((await tools.runConsole(context)) >= 8);
});

test('the programs in docs/tools.md compile, and print what their comments say', async (context) => {
  assert.ok((await tools.runPrograms(context)) >= 2);
});
