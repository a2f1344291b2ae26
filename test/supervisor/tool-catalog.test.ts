import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_FRAME_BYTES } from '../../src/protocol/limits.js';
import { ToolCatalog } from '../../src/supervisor/tool-catalog.js';

const tool = { name: 'a', description: 'd', kind: 'function', input_schema: {}, output_schema: null } as const;

test('a definition that fits into no frame is told as that, with the name of its tool', () => {
  const text = 'x'.repeat(2 ** 20);
  const examples = Array.from({ length: MAX_FRAME_BYTES / text.length + 1 }, () => text);
  assert.throws(() => new ToolCatalog([]).fields([{ ...tool, input_schema: { examples } } as never]), {
    code: 'frame-too-large',
    message: /^tool `a`: its definition is too large: code-mode IPC frame length exceeds 67108864 bytes/,
    data: { limit: MAX_FRAME_BYTES, tool: 'a' },
  });
});

test('a definition that is not JSON is told as that', () => {
  assert.throws(() => new ToolCatalog([]).fields([{ ...tool, input_schema: { default: 1n } } as never]), {
    code: 'invalid-argument',
    message: /^tool `a`: its definition is not JSON: /,
    data: { tool: 'a' },
  });
});
