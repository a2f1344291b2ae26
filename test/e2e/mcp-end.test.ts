import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { CliRun, lastEvent, patience, runCli, temporaryFolder } from '../support/cli.js';
import { markedProcesses } from '../support/marked-processes.js';
import { mcpFile } from './mcp-config.js';

// However a run ends, its servers end with it: also those that close for nobody.

const servers = { stubborn: 'stubborn', family: 'grandchild', dead: 'dies-in-call' } as const;
const spin = 'text("up"); while(true){}';
const call = 'text("up"); await tools.mcp__dead__wait({})';

const runningServers = (run: CliRun): string[] =>
  markedProcesses(run.mark)
    .map(({ command }) => command)
    .filter((command) => command.includes('mcp/servers/'));

async function started(run: CliRun): Promise<void> {
  await run.event('content');
  assert.equal(runningServers(run).length, 3, runningServers(run).join('\n'));
}

for (const [state, cell] of [
  ['spins', spin],
  ['waits for a server', call],
] as const) {
  test(`no server outlives a SIGKILL of codemode-run while a cell ${state}`, async (t) => {
    const file = await mcpFile(t, servers);
    const run = new CliRun(t, ['--json', '--yield-time', '20', '--mcp', file, '-e', cell]);
    await started(run);
    run.child.kill('SIGKILL');
    assert.equal((await run.ended).signal, 'SIGKILL');
    await run.nothingLeft(patience(2_000));
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    test(`${signal} ends the servers while a cell ${state}`, async (t) => {
      const file = await mcpFile(t, servers);
      const run = new CliRun(t, ['--json', '--yield-time', '20', '--mcp', file, '-e', cell]);
      await started(run);
      run.child.kill(signal);
      const ended = await run.finish();
      assert.deepEqual([ended.code, ended.stderr, lastEvent(ended.stdout).code], [code, '', 'cancelled']);
    });
  }
}

test('a signal ends a start that is under way', async (t) => {
  const file = await mcpFile(t, { silent: 'silent', stubborn: 'stubborn' });
  const run = new CliRun(t, ['--verbose', '--mcp', file, '-e', 'text(1)']);
  await run.seen(/^\[mcp silent\] waiting for a licence server$/m);
  run.child.kill('SIGINT');
  const { code, stdout, stderr } = await run.finish();
  assert.deepEqual([code, stdout], [130, '']);
  assert.match(stderr, /^codemode-run: ended by SIGINT$/m);
});

test('no server outlives a SIGKILL of codemode-run during the start', async (t) => {
  const file = await mcpFile(t, { silent: 'silent', stubborn: 'stubborn' });
  const run = new CliRun(t, ['--verbose', '--mcp', file, '-e', 'text(1)']);
  await run.seen(/^\[mcp stubborn\] ready /m);
  run.child.kill('SIGKILL');
  await run.nothingLeft(patience(2_000));
});

test('a server that wants to clean up may, also after a SIGKILL of codemode-run', async (t) => {
  const note = join(await temporaryFolder(t), 'note');
  const file = await mcpFile(t, { polite: ['polite', note], stubborn: 'stubborn' });
  const run = new CliRun(t, ['--json', '--yield-time', '20', '--mcp', file, '-e', spin]);
  await run.event('content');
  run.child.kill('SIGKILL');
  await run.nothingLeft(patience(2_000));
  assert.equal(await readFile(note, 'utf8'), 'cleaned up');
});

test('a run that is over ends its servers, those with grandchildren too', async (t) => {
  const note = join(await temporaryFolder(t), 'note');
  const file = await mcpFile(t, { ...servers, polite: ['polite', note] });
  const { code, stdout } = await runCli(t, ['--mcp', file, '-e', 'text(typeof tools.mcp__family__pid)']);
  assert.deepEqual([code, stdout], [0, 'function\n']);
  assert.equal(await readFile(note, 'utf8'), 'cleaned up');
});

test('a grandchild that a dead server has left behind ends with the run', async (t) => {
  const file = await mcpFile(t, { family: 'grandchild' });
  const cell = 'await tools.mcp__family__exit({}).catch((reason) => text(reason))';
  const { code, stdout } = await runCli(t, ['--mcp', file, '-e', cell]);
  assert.equal(code, 0);
  assert.match(stdout, /^MCP server `family`: tool `exit`: the server ended: exit status: 5 /);
});

for (const [command, ...rest] of [['describe'], ['check', '-e', 'text(1)']] as const) {
  test(`${command} ends the servers as well`, async (t) => {
    const file = await mcpFile(t, servers);
    const { code } = await runCli(t, [command, '--mcp', file, ...rest]);
    assert.equal(code, 0);
  });
}
