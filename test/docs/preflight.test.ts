import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingCodes } from '../../src/source/finding.js';
import { prepareCell } from '../../src/source/prepare-cell.js';
import { toolNames } from '../source/corpus/harness.js';
import { malformed } from '../source/corpus/malformed.js';
import { Document } from './document.js';

const preflight = new Document('docs/preflight.md');
const rows = [...preflight.text.matchAll(/^\| `([a-z-]+)` \| (.*) \| (yes|when certain|no) \|$/gm)];

test('the table in docs/preflight.md has exactly the codes that there are, with their sentences, in order', () => {
  assert.deepEqual(
    rows.map(([, code, sentence]) => [code, sentence]),
    Object.entries(findingCodes),
  );
});

test('what the table calls mended is mended in some cell of the corpus, and nothing else is', async () => {
  const mended = new Set<string>();
  for (const { cell } of malformed) {
    const { findings } = await prepareCell(cell, { preflight: 'fix', tools: toolNames, commandTool: 'exec_command' });
    for (const { code, fixed } of findings) if (fixed) mended.add(code);
  }
  const promised = rows.filter(([, , , repair]) => repair !== 'no').map(([, code]) => code);
  assert.deepEqual([...mended].sort(), promised.sort());
});

test('the commands in docs/preflight.md print what stands below them', async (context) => {
  assert.ok((await preflight.runConsole(context)) >= 4);
});
