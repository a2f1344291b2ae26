import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../../support/processes.js';
import { type Message, type Peer, serve, sh, startParams, temporaryFolder, uri } from './peer.js';

/** A long run looks for what happens once in a thousand times. */
const RUNS = process.env.CODEMODE_LONG_TESTS === undefined ? 60 : 1_000;
const AT_ONCE = 4;

interface Case {
  readonly name: string;
  readonly argv: readonly string[];
  readonly more?: object;
}

const cases: readonly Case[] = [
  { name: 'one line', argv: ['/bin/echo', 'x'] },
  { name: 'both streams', argv: sh('echo a; echo b >&2; echo c; echo d >&2') },
  { name: 'much output', argv: sh('head -c 400000 /dev/zero; echo end >&2; exit 4') },
  { name: 'a terminal', argv: sh('echo a; head -c 30000 /dev/zero; exit 4'), more: { tty: true } },
];

for (const { name, argv, more } of cases) {
  test(`events come behind the start's answer, in the order of their numbers, output before the exit: ${name}`, async (t) => {
    const peer = await serve(t).ready();
    const runs = name === 'much output' && RUNS < 1_000 ? RUNS / 4 : RUNS;
    for (let run = 0; run < runs; run += AT_ONCE) {
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => once(peer, `r${run + index}`, argv, more)));
      peer.messages.length = 0;
    }
  });
}

async function once(peer: Peer, id: string, argv: readonly string[], more: object | undefined): Promise<void> {
  await peer.result('process/start', startParams(id, argv, more));
  await peer.closed(id);
  const all = peer.messages;
  const answer = all.findIndex(({ result }) => result?.processId === id);
  const events = all.filter(({ params }) => params?.processId === id);
  assert.ok(answer !== -1 && answer < all.indexOf(events[0]!), `${id}: the answer came late`);
  const kinds = events.map(({ method }) => method);
  assert.deepEqual(
    events.map(seqOf),
    events.map((_, index) => index + 1),
    `${id}: ${kinds.join(' ')}`,
  );
  assert.deepEqual(kinds.slice(-2), ['process/exited', 'process/closed'], id);
  assert.ok(
    kinds.slice(0, -2).every((kind) => kind === 'process/output'),
    id,
  );
}

const seqOf = ({ params }: Message): unknown => params?.seq;

test('what a background child prints after the end of its parent comes behind the exit, and before the end', async (t) => {
  const peer = await serve(t).ready();
  // It waits for the word that its parent has ended.
  const script = 'mkfifo "$0"; (read -r x < "$0"; echo late; rm "$0") & echo early; exit 2';
  const fifo = `/tmp/codemode-order-${process.pid}`;
  await peer.start('bg', ['/bin/sh', '-c', script, fifo]);
  await peer.seen('process/exited', 'bg');
  await peer.start('word', ['/bin/sh', '-c', 'echo go > "$0"', fifo]);
  await peer.closed('bg');
  assert.deepEqual(
    peer.events('bg').map(({ method, params }) => `${method?.slice(8)}${params?.seq}`),
    ['output1', 'exited2', 'output3', 'closed4'],
  );
});

test('what was not begun when a connection is closed is not begun any more', async (t) => {
  const served = serve(t);
  const peer = await served.ready();
  const folder = await temporaryFolder(t);
  const names = Array.from({ length: 500 }, (_, index) => `file-${index}`);
  for (const name of names) {
    peer.send({ id: name, method: 'fs/writeFile', params: { path: uri(join(folder, name)), dataBase64: '' } });
  }
  await peer.until(() => peer.messages.find(({ id }) => id === 'file-0'), 'the first answer');
  await served.connections[0]?.close();
  await eventually(() => !process.getActiveResourcesInfo().some((name) => /^FSReq|^FileHandleCloseReq/.test(name)));
  const made = await readdir(folder);
  assert.ok(made.length > 0 && made.length < names.length, `${made.length} of ${names.length} files`);
});
