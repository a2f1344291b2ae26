import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { McpServers } from '../../src/mcp/index.js';
import { eventually, isAlive } from '../support/processes.js';
import { bench, call, fixture, ofType, rejection } from './fixture-servers.js';

const healthy = async (servers: McpServers): Promise<void> => {
  assert.equal((await call(servers, 'echo.echo', { a: 1 })).content[0]?.text, '{"a":1}');
};

for (const [how, exit] of [
  ['exit', 'exit status: 7'],
  ['kill', 'signal: 9 \\(SIGKILL\\)'],
] as const) {
  test(`a server that dies during a call (${how}) rejects all its calls with the reason, and no others`, async (context) => {
    const { connect, events, running } = bench(context);
    const servers = await connect([fixture('dies-in-call'), fixture('echo')]);
    const calls = ['wait', 'wait', how].map((name) => rejection(call(servers, `dies-in-call.${name}`)));
    const errors = await Promise.all(calls);
    const reason = `the server ended: ${exit} after \\d+ ms; program: \\S+; stderr: about to ${how}$`;
    for (const [index, name] of ['wait', 'wait', how].entries()) {
      assert.equal(errors[index]?.code, 'mcp-server-failed');
      assert.match(
        errors[index]?.message ?? '',
        new RegExp(`^MCP server \`dies-in-call\`: tool \`${name}\`: ${reason}`),
      );
      assert.equal(errors[index]?.data.tool, name);
    }
    assert.match((await rejection(call(servers, 'dies-in-call.wait'))).message, new RegExp(`\`wait\`: ${reason}`));
    const [ended, ...others] = ofType(events, 'ended');
    assert.equal(ended?.server, 'dies-in-call');
    assert.match(ended?.error.message ?? '', new RegExp(`^MCP server \`dies-in-call\`: ${reason}`));
    assert.deepEqual(others, []);
    assert.equal(servers.tools.length, 6);
    await healthy(servers);
    await eventually(() => running() === 1);
  });
}

test('a server that dies between calls is told of at once', async (context) => {
  const { connect, events } = bench(context);
  const servers = await connect([fixture('echo'), { ...fixture('echo'), name: 'other' }]);
  const { pid } = JSON.parse((await call(servers, 'other.env')).content[0]?.text ?? '') as { pid: number };
  process.kill(pid, 'SIGKILL');
  await eventually(() => ofType(events, 'ended').length === 1);
  const [ended] = ofType(events, 'ended');
  assert.match(
    ended?.error.message ?? '',
    /^MCP server `other`: the server ended: signal: 9 \(SIGKILL\) after \d+ ms; /,
  );
  assert.match(
    (await rejection(call(servers, 'other.env'))).message,
    /`other`: tool `env`: the server ended: signal: 9/,
  );
  await healthy(servers);
});

test('half a message and then the end says so, with the exit status', async (context) => {
  const { connect } = bench(context);
  const servers = await connect([fixture('half-message'), fixture('echo')]);
  const { message } = await rejection(call(servers, 'half-message.work'));
  assert.match(
    message,
    /the server ended: exit status: 0 after \d+ ms, in the middle of a message, after 63 bytes of it; /,
  );
  await healthy(servers);
});

test('a server that closes its stdout and lives on is ended', async (context) => {
  const { connect, running } = bench(context);
  const servers = await connect([fixture('closes-stdout'), fixture('echo')]);
  const { message } = await rejection(call(servers, 'closes-stdout.hang-up'));
  assert.match(message, /tool `hang-up`: the server closed its stdout and runs on; program: /);
  await eventually(() => running() === 1);
  await healthy(servers);
});

test('a server that closes its stdin and lives on is ended by the next call', async (context) => {
  const { connect, events, running } = bench(context);
  const servers = await connect([fixture('closes-stdin'), fixture('echo')]);
  await call(servers, 'closes-stdin.hang-up');
  const { message } = await rejection(call(servers, 'closes-stdin.hang-up'));
  assert.match(message, /tool `hang-up`: the server closed its stdin and runs on; program: /);
  assert.equal(ofType(events, 'ended').length, 1);
  await eventually(() => running() === 1);
  await healthy(servers);
});

test('a grandchild that holds the pipes goes with its server', async (context) => {
  const { connect, running } = bench(context);
  const servers = await connect([fixture('grandchild')]);
  const pid = Number((await call(servers, 'grandchild.pid')).content[0]?.text);
  assert.equal(isAlive(pid), true);
  assert.equal(running(), 2);
  await servers.close();
  // It was killed with the group; only its parent's end is waited for.
  await eventually(() => running() === 0);
});

test('a grandchild that is left behind does not keep the end of its server from being seen', async (context) => {
  const { connect, running } = bench(context);
  const servers = await connect([fixture('grandchild')]);
  const { message } = await rejection(call(servers, 'grandchild.exit'));
  assert.match(message, /the server ended: exit status: 5 after /);
  await eventually(() => running() === 0);
});

test('a server that ignores the end of its stdin, and SIGTERM, is ended all the same', async (context) => {
  const { connect, nothingLeft, running } = bench(context);
  const servers = await connect(
    Array.from({ length: 4 }, (_, index) => ({ ...fixture('stubborn'), name: `s${index}` })),
  );
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const closing = servers.close();
  await new Promise(setImmediate);
  context.mock.timers.tick(199);
  await new Promise(setImmediate);
  assert.equal(running(), 4);
  context.mock.timers.tick(1);
  await closing;
  nothingLeft();
});

test('a server that is told of the end may clean up', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'codemode-mcp-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'mark');
  const { connect, nothingLeft, events } = bench(context);
  const servers = await connect([fixture('polite', file)]);
  assert.equal(existsSync(file), false);
  await servers.close();
  nothingLeft();
  assert.equal(await readFile(file, 'utf8'), 'cleaned up');
  assert.deepEqual(ofType(events, 'ended'), []);
});

test('a server that floods its stderr works, and every line is told', async (context) => {
  const { connect, events } = bench(context);
  const servers = await connect([fixture('stderr-flood')]);
  assert.equal((await call(servers, 'stderr-flood.work')).content[0]?.text, 'worked');
  await servers.close();
  assert.equal(ofType(events, 'stderr').length, 10_000);
});

test('a server that does not read any more holds up neither the calls nor the end', async (context) => {
  const { connect, nothingLeft } = bench(context);
  const servers = await connect([fixture('stops-reading'), fixture('echo')]);
  const calls = Array.from({ length: 20 }, () =>
    rejection(call(servers, 'stops-reading.work', { filler: 'x'.repeat(2 ** 20) })),
  );
  await healthy(servers);
  await servers.close();
  for (const { message } of await Promise.all(calls)) {
    assert.equal(message, 'MCP server `stops-reading`: tool `work`: the connection was closed on this side');
  }
  nothingLeft();
  assert.match((await rejection(call(servers, 'echo.echo'))).message, /closed on this side$/);
});

test('calls that were given up before a server read them cost nothing, and are not sent', async (context) => {
  const { connect, nothingLeft } = bench(context);
  const servers = await connect([fixture('reads-later')]);
  const pid = Number((await call(servers, 'reads-later.pause')).content[0]?.text);
  for (let time = 0; time < 20; time += 1) {
    const giving = new AbortController();
    const filler = 'x'.repeat(2 ** 20);
    const given = rejection(call(servers, 'reads-later.work', { filler }, { signal: giving.signal }));
    giving.abort();
    assert.equal((await given).code, 'cancelled');
  }
  const asked = call(servers, 'reads-later.seen');
  process.kill(pid, 'SIGUSR2');
  // The first was on its way when it was given up.
  assert.equal((await asked).content[0]?.text, 'pause,work,cancelled,seen');
  await servers.close();
  nothingLeft();
});

test('closing twice, and by `await using`, is one closing', async (context) => {
  const { connect, nothingLeft } = bench(context);
  const servers = await connect([fixture('echo')]);
  assert.equal(servers.close(), servers.close());
  await servers[Symbol.asyncDispose]();
  nothingLeft();
  assert.equal(await servers.refresh(), false);
});
