// A server of MCP in a few lines, for the fixtures: what they do wrong is theirs.
import { createInterface } from 'node:readline';

export const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

export const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });

export const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: { listChanged: true }, logging: {} },
  serverInfo: { name: 'fixture', version: '1.2.3' },
};

/** `answers` has a function for each method; what it gives is the result, and undefined means that no answer comes. */
export function serve(tools, answers = {}) {
  const all = {
    initialize: () => initialized,
    'tools/list': () => ({ tools: tools.map((name) => ({ name, inputSchema: { type: 'object' } })) }),
    'tools/call': () => text('done'),
    ...answers,
  };
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', async (line) => {
    const { id, method, params, ...rest } = JSON.parse(line);
    if (method === undefined || id === undefined) return await all[method ?? 'answer']?.(params, { id, ...rest });
    const result = await all[method]?.(params, id);
    if (result !== undefined) send({ id, result });
  });
}
