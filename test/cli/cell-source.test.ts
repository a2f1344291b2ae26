import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { loadCells } from '../../src/cli/cell-source.js';

test('a cell that has no end is given up, and said to be too large', async () => {
  const chunk = Buffer.alloc(16 * 2 ** 20, 'x');
  const stdin = new Readable({
    read() {
      this.push(chunk);
    },
  });
  await assert.rejects(loadCells([{ kind: 'file', name: '-' }], { cwd: '/', stdin }), {
    message: 'cannot read cell [stdin]: it is larger than 256 MiB',
  });
  assert.ok(stdin.destroyed);
});
