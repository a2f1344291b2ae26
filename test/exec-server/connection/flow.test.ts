import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { memoryChannels, type RequestContext, stdioChannel } from '../../../src/exec-server/connection/index.js';
import {
  MAX_HELD_ANSWER_BYTES,
  MAX_HELD_REQUEST_BYTES,
  MAX_HELD_REQUESTS,
  MAX_QUEUED_ANSWERS,
  MAX_QUEUED_MESSAGES,
  MAX_RUNNING_REQUESTS,
} from '../../../src/exec-server/wire/index.js';
import { deferred, RawPeer, turns } from './raw-peer.js';
import { Served, servedInMemory } from './served.js';
import { StuckChannel } from './stuck-channel.js';

const everything = { mayPass: () => true, mayNotPass: () => false };

test('of a peer that does not read nothing more is begun at 128 answers, but it is heard, and nothing is lost', async () => {
  const channel = new StuckChannel();
  const passing = { mayPass: ({ method }: { method: string }) => method === 'kill', mayNotPass: () => false };
  const served = new Served(channel, { echo: (params) => params, kill: () => 'killed' }, { passing });
  const asked = 2_000;
  for (let id = 0; id < asked; id++) {
    channel.hear(JSON.stringify({ id, method: 'echo', params: id }));
    await turns(1);
  }
  assert.ok(served.started.length <= MAX_QUEUED_MESSAGES + 2, `${served.started.length} requests were begun`);
  assert.equal(channel.paused, false);
  channel.hear('{"id":"k","method":"kill"}');
  assert.equal(served.started.at(-1), 'kill');
  await channel.drain();
  assert.deepEqual(
    channel.sent.map((text) => JSON.parse(text).id as unknown).filter((id) => id !== 'k'),
    Array.from({ length: asked }, (_, id) => id),
  );
  await served.connection.close();
});

test('what waits is bounded in number and in bytes: beyond that the peer is not read until there is room', async () => {
  for (const [params, most] of [
    [1, MAX_HELD_REQUESTS],
    ['x'.repeat(MAX_HELD_REQUEST_BYTES / 8), 8],
  ] as const) {
    const channel = new StuckChannel();
    const stuck = deferred();
    const served = new Served(channel, { stuck: () => stuck.promise }, { concurrentRequests: 1 });
    let asked = 0;
    for (; !channel.paused && asked < 20_000; asked++) {
      channel.hear(JSON.stringify({ id: asked, method: 'stuck', params }));
    }
    assert.equal(asked, most);
    assert.equal(served.started.length, 1);
    stuck.resolve();
    await channel.drain();
    assert.equal(channel.paused, false);
    assert.equal(channel.sent.length, asked);
    await served.connection.close();
  }
});

test('answers to what may pass, and to malformed messages, are bounded as well', async () => {
  for (const message of ['{"id":1,"method":"fine"}', 'garbage']) {
    const channel = new StuckChannel();
    const served = new Served(channel, { fine: () => 1 }, { passing: everything });
    let said = 0;
    for (; !channel.paused && said < 10_000; said++) {
      channel.hear(message);
      await turns(1);
    }
    assert.ok(said <= MAX_QUEUED_ANSWERS + 2, `${said} messages were taken`);
    await channel.drain();
    assert.equal(channel.paused, false);
    await served.connection.close();
  }
});

/** A clock that stands still but for `pass`. */
function stoppedClock(t: TestContext): (ms: number) => void {
  let clock = 0;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.mock.method(performance, 'now', () => clock);
  return (ms) => {
    clock += ms;
    t.mock.timers.tick(ms);
  };
}

test('a peer that sends more than may wait and takes nothing is given up, and one that takes a little is not', async (t) => {
  const pass = stoppedClock(t);
  const channel = new StuckChannel();
  const served = new Served(channel, { fine: () => 1 }, { stallLimitMs: 40, passing: everything });
  while (!channel.paused) {
    channel.hear('{"id":1,"method":"fine"}');
    await turns(1);
  }
  for (let time = 0; time < 10; time++) {
    pass(39);
    channel.take();
    await turns(3);
  }
  assert.deepEqual([channel.paused, served.closings], [true, 0]);
  pass(40);
  assert.equal(served.closings, 1);
  assert.match((await served.closed)?.message ?? '', /sent more than may wait, and nothing has moved for 0.04 s/);
});

test('a peer that is not read is given up when no request ends or goes on for 60 s, also when it takes all', async (t) => {
  const pass = stoppedClock(t);
  const channel = new StuckChannel();
  let moved = (): void => {};
  const served = new Served(channel, {
    stuck: (_params, context) => {
      moved = context.moved;
      return new Promise(() => {});
    },
  });
  const params = 'x'.repeat(MAX_HELD_REQUEST_BYTES / 8);
  for (let id = 0; !channel.paused; id++) channel.hear(JSON.stringify({ id, method: 'stuck', params }));
  for (let minute = 0; minute < 5; minute++) {
    pass(29_000);
    moved();
    pass(30_000);
    assert.equal(served.closings, 0);
  }
  pass(29_999);
  assert.equal(served.closings, 0);
  pass(1);
  assert.equal(served.closings, 1);
  assert.match((await served.closed)?.message ?? '', /sent more than may wait, and nothing has moved for 60 s/);
});

test('an input that ends behind thousands of requests is seen to end, whether the peer reads or not', async () => {
  for (const reads of [true, false]) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const served = new Served(
      stdioChannel({ input, output }),
      { echo: (params) => params },
      { drainLimitMs: reads ? 5_000 : 50 },
    );
    const requests = Array.from({ length: 5_000 }, (_, id) =>
      JSON.stringify({ id, method: 'echo', params: 'x'.repeat(99) }),
    );
    input.end(`${requests.join('\n')}\n`);
    let lines = 0;
    if (reads) {
      output.on('data', (chunk: Buffer) => {
        lines += chunk.toString().split('\n').length - 1;
      });
    }
    await served.closed;
    await turns();
    assert.equal(lines, reads ? 5_000 : 0);
  }
});

test('large answers wait for room in the order of asking, and small ones, of others, do not', async () => {
  const channel = new StuckChannel();
  const made: unknown[] = [];
  const served = new Served(channel, {
    large: async (params, { reserve }) => {
      await reserve(MAX_HELD_ANSWER_BYTES / 2);
      made.push(params);
      return 'x'.repeat(MAX_HELD_ANSWER_BYTES / 2 - 64);
    },
    small: (params) => made.push(params),
  });
  for (let id = 0; id < 5; id++) channel.hear(JSON.stringify({ id, method: 'large', params: id }));
  channel.hear('{"id":5,"method":"small","params":"small"}');
  await turns();
  assert.deepEqual(made, ['small', 0, 1]);
  assert.equal(channel.paused, false);
  await channel.drain();
  assert.deepEqual(made, ['small', 0, 1, 2, 3, 4]);
  assert.deepEqual(
    channel.sent.map((text) => JSON.parse(text).id as number),
    [5, 0, 1, 2, 3, 4],
  );
  await served.connection.close();
});

test('large answers that nobody asked for stop the reader', async () => {
  const channel = new StuckChannel();
  const served = new Served(channel, { echo: () => 1 });
  const id = 'x'.repeat(MAX_HELD_ANSWER_BYTES / 8);
  let asked = 0;
  for (; !channel.paused && asked < 100; asked++) {
    channel.hear(JSON.stringify({ id, method: 'echo' }));
    await turns(2);
  }
  assert.ok(asked <= 9, `${asked} requests were taken`);
  await channel.drain();
  assert.equal(channel.paused, false);
  assert.equal(channel.sent.length, asked);
  await served.connection.close();
});

test('who waits for room hears of the end of the connection', async () => {
  const channel = new StuckChannel();
  const outcomes: string[] = [];
  const served = new Served(channel, {
    large: async (_params, { reserve }) => {
      await reserve(MAX_HELD_ANSWER_BYTES).then(
        () => outcomes.push('room'),
        () => outcomes.push('refused'),
      );
      return '';
    },
  });
  for (let id = 0; id < 3; id++) channel.hear(JSON.stringify({ id, method: 'large' }));
  await turns();
  await served.connection.close();
  await turns();
  assert.deepEqual(outcomes, ['room', 'refused', 'refused']);
});

test('no more than 1,024 requests are under way, and those that only wait are asked to make room', async () => {
  const channel = new StuckChannel();
  let polls = 0;
  const poll = (_params: unknown, { crowded }: RequestContext): Promise<number> =>
    new Promise((resolve) => crowded.addEventListener('abort', () => resolve(polls++), { once: true }));
  const served = new Served(channel, { poll, fine: () => 1 });
  for (let id = 0; id < MAX_RUNNING_REQUESTS; id++) channel.hear(JSON.stringify({ id, method: 'poll' }));
  await turns();
  assert.deepEqual([served.started.length, polls], [MAX_RUNNING_REQUESTS, 0]);
  channel.hear('{"id":"f","method":"fine"}');
  assert.equal(served.started.length, MAX_RUNNING_REQUESTS);
  assert.equal(polls, MAX_RUNNING_REQUESTS);
  await channel.drain();
  assert.ok(channel.sent.includes('{"id":"f","result":1}'));
  await served.connection.close();
});

test('a notification beyond 128 waits until there is room, and an answer does not wait behind them', async () => {
  const channel = new StuckChannel();
  const served = new Served(channel, { fine: () => 1 });
  let accepted = 0;
  for (let note = 0; note < 200; note++) {
    void served.connection.notify('output', note).then(() => {
      accepted++;
    });
  }
  await turns();
  assert.ok(accepted <= MAX_QUEUED_MESSAGES + 1, `${accepted} were accepted`);
  channel.hear('{"id":1,"method":"fine"}');
  await turns();
  await channel.drain();
  assert.equal(accepted, 200);
  assert.equal(channel.sent[1], '{"id":1,"result":1}');
  const notes = channel.sent.filter((text) => text.includes('output')).map((text) => JSON.parse(text).params as number);
  assert.deepEqual(
    notes,
    Array.from({ length: 200 }, (_, note) => note),
  );
  await served.connection.close();
});

test('what waits is refused when the connection ends', async () => {
  const channel = new StuckChannel();
  const served = new Served(channel);
  const notes = Array.from({ length: 200 }, (_, note) => served.connection.notify('output', note));
  const outcomes = Promise.allSettled(notes);
  await served.connection.close();
  const refused = (await outcomes).filter(({ status }) => status === 'rejected');
  assert.ok(refused.length >= 200 - MAX_QUEUED_MESSAGES - 1);
});

test('10,000 requests of a peer that reads late are all answered, in order', { timeout: 60_000 }, async () => {
  const { served, peer } = servedInMemory({ echo: (params) => params });
  peer.channel.pause();
  let said = 0;
  const saying = (async () => {
    for (; said < 10_000; said++) await peer.say({ id: said, method: 'echo', params: said });
  })();
  await turns(50);
  assert.ok(served.started.length < 2_000, `${served.started.length} were begun`);
  peer.channel.resume();
  for (let id = 0; id < 10_000; id++) assert.deepEqual(await peer.next(), { id, result: id });
  await saying;
  await served.connection.close();
});

test('a pipe that nobody reads holds the sender back', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const channel = stdioChannel({ input, output });
  channel.start({ message: () => {}, end: () => {} });
  const text = 'x'.repeat(10_000);
  let sent = 0;
  const sending = (async () => {
    for (; sent < 100; sent++) await channel.send(text);
  })();
  await turns(50);
  assert.ok(sent < 20, `${sent} messages were taken`);
  let bytes = 0;
  output.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await sending;
  await channel.close();
  assert.equal(bytes, 100 * 10_001);
});

test('both ends of a pair in one process hear of the end once, after the last message', async () => {
  const [one, other] = memoryChannels();
  const heard: string[] = [];
  const peer = new RawPeer(other);
  one.start({ message: () => {}, end: () => heard.push('end') });
  for (let n = 0; n < 300; n++) void one.send(String(n));
  await one.close();
  const end = await peer.ended;
  assert.deepEqual(end, { reason: undefined, writable: false });
  assert.equal(peer.waiting, 300);
  await assert.rejects(other.send('late'));
  assert.deepEqual(heard, []);
});
