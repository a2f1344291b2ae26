import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CliRun } from '../support/cli.js';
import { eventually } from '../support/processes.js';
import { WebSocketPeer } from './connection/websocket-peer.js';
import { handshake, Sleepers, start } from './hostile-scene.js';

// However much a client has asked for: it can end what it has begun, and its own end is seen.

const options = { timeout: 60_000, skip: process.platform === 'linux' ? false : 'needs /proc' };
const poll = (id: unknown): object => ({
  id,
  method: 'process/read',
  params: { processId: 'mine', afterSeq: 0, waitMs: 3_600_000 },
});
const terminate = { id: 'end', method: 'process/terminate', params: { processId: 'mine' } };

interface Stdio {
  readonly run: CliRun;
  readonly mine: Sleepers;
  readonly say: (message: object) => void;
}

async function overStdio(t: TestContext, args: readonly string[] = [], holdStdout = false): Promise<Stdio> {
  const run = new CliRun(t, ['exec-server', '--listen', 'stdio', ...args], { openStdin: true, holdStdout });
  const say = (message: object): void => {
    run.child.stdin.write(`${JSON.stringify(message)}\n`);
  };
  const mine = new Sleepers(t);
  for (const message of [...handshake, mine.start]) say(message);
  await mine.run();
  return { run, mine, say };
}

for (const [places, polls] of [
  [[], 1_100],
  [['--concurrent-requests', '1'], 200],
] as const) {
  const how = places.length === 0 ? 'side by side' : 'one by one';
  test(`a terminate passes ${polls} reads that wait, ${how}`, options, async (t) => {
    const { run, mine, say } = await overStdio(t, places);
    for (let id = 0; id < polls; id++) say(poll(id));
    say(terminate);
    await run.seen(/"id":"end","result":\{"running":true\}/);
    await mine.gone();
    run.child.stdin.end();
    const { code, stdout } = await run.finish();
    assert.equal(code, 0);
    assert.equal(new Set(stdout.match(/"id":\d+,"result"/g)).size, polls);
  });

  test(`the end of the input is seen behind ${polls} reads that wait, ${how}`, options, async (t) => {
    const { run, mine, say } = await overStdio(t, places);
    for (let id = 0; id < polls; id++) say(poll(id));
    run.child.stdin.end();
    const { code, stdout } = await run.finish();
    assert.equal(code, 0);
    assert.equal(new Set(stdout.match(/"id":\d+,"result"/g)).size, polls);
    await mine.gone();
  });
}

for (const last of ['a terminate', 'the end of the input'] as const) {
  test(`${last} is heard behind 120 MB of writes to a child that does not read`, options, async (t) => {
    const { run, mine, say } = await overStdio(t);
    say(start('deaf', ['sleep', '60'], { pipeStdin: true }));
    const chunk = 'A'.repeat(30_000_000);
    for (let id = 0; id < 4; id++) {
      say({ id, method: 'process/write', params: { processId: 'deaf', writeId: `${id}`, chunk } });
    }
    if (last === 'a terminate') {
      say(terminate);
      await run.seen(/"id":"end","result":\{"running":true\}/);
      await mine.gone();
    }
    run.child.stdin.end();
    const { code, stdout } = await run.finish();
    assert.equal(code, 0);
    assert.equal(stdout.match(/"id":\d,"result":\{"status":"accepted"\}/g)?.length, 2);
    // A third one would make it more than that.
    assert.equal(
      stdout.match(/process deaf to read its stdin: the limit is 67108864 bytes[^\n]*"id":[23]\}/g)?.length,
      2,
    );
    await mine.gone();
  });
}

test('the end of a client that did not read is seen behind all that it has asked for', options, async (t) => {
  const { run, mine, say } = await overStdio(t, [], true);
  for (let id = 0; id < 5_000; id++) say({ id, method: 'environment/info' });
  run.child.stdout.destroy();
  run.child.stdin.end();
  assert.equal((await run.finish()).code, 0);
  await mine.gone();
});

test('over WebSocket, the loss of a client with 1,100 reads that wait is seen', options, async (t) => {
  const run = new CliRun(t, ['exec-server', '--detached-ttl', '0'], { openStdin: true });
  const [url] = await run.seen(/^ws:\/\/[\d.:]+/);
  const peer = await WebSocketPeer.open(t, url);
  const mine = new Sleepers(t);
  for (const message of [...handshake, mine.start]) peer.say(message);
  await mine.run();
  for (let id = 0; id < 1_100; id++) peer.say(poll(id));
  peer.say({ id: 's', method: 'environment/status' });
  // The reads before it are answered, so that it can be.
  let answers = 0;
  await eventually(async () => {
    answers++;
    return (await peer.next()).id === 's';
  }, 20_000);
  assert.ok(answers > 1);
  for (let id = 0; id < 1_100; id++) peer.say(poll(id));
  peer.socket.terminate();
  await mine.gone();
  run.child.kill('SIGTERM');
  assert.equal((await run.finish()).code, 0);
});
