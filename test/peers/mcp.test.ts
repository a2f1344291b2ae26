import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root, runCli, temporaryFile, temporaryFolder } from '../support/cli.js';
import { realHost, skip } from './peers.js';

// Tools are ours, whatever host the cell runs in.

const example = ['--mcp', join(root, 'examples/mcp.json'), join(root, 'examples/mcp-report.js')];
const server = join(root, 'test/mcp/servers/error-answers.mjs');

describe('Cells that call tools of MCP servers say the same in the real host and in ours:', { skip }, () => {
  for (const [title, args] of [
    ['the example', example],
    ['a cell in TypeScript that is mended', undefined],
  ] as const) {
    test(title, async (t) => {
      const mcp = JSON.stringify({ mcpServers: { 'a-b': { command: process.execPath, args: [server] } } });
      const cell = `const failed: { isError?: boolean } = await tools.mcp__a_b__fail({});
        const refused = await tools.mcp__a_b__refuse({});
        tools.mcp__a_b__bare({});
        text([failed, refused]); text(ALL_TOOLS.map(({ name }) => name).sort());
        return await tools.mcp__a_b__nothing({}).catch((reason) => reason)`;
      const given = args ?? ['--preflight', 'fix', '--mcp', await temporaryFile(t, 'mcp.json', mcp), '-e', cell];
      const run = async (host: readonly string[]) =>
        await runCli(t, [...host, ...given], { env: { TMPDIR: await temporaryFolder(t) } });
      const ours = await run([]);
      const real = await run(['--host', realHost]);
      assert.deepEqual([ours.code, ours.stdout === ''], [0, false], ours.stderr);
      assert.deepEqual([real.code, real.stdout, real.stderr], [ours.code, ours.stdout, ours.stderr]);
    });
  }
});
