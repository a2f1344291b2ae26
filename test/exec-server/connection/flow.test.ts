import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import {
  type ChannelEvents,
  type MessageChannel,
  memoryChannels,
  stdioChannel,
} from '../../../src/exec-server/connection/index.js';
import { MAX_QUEUED_MESSAGES, MAX_RUNNING_REQUESTS } from '../../../src/exec-server/wire/index.js';
import { RawPeer, turns } from './raw-peer.js';
import { Served, servedInMemory } from './served.js';

/** A transport that takes one message and then nothing more, until the test lets it. */
class StuckChannel implements MessageChannel {
  readonly complaint = 'failed to parse';
  readonly sent: string[] = [];
  paused = false;
  #events: ChannelEvents | undefined;
  #accept: () => void = () => {};

  start(events: ChannelEvents): void {
    this.#events = events;
  }

  hear(text: string): void {
    this.#events?.message(text);
  }

  send(text: string): Promise<void> {
    this.sent.push(text);
    return new Promise((resolve) => {
      this.#accept = resolve;
    });
  }

  /** Takes everything that waits. */
  async drain(): Promise<void> {
    for (let before = -1; before !== this.sent.length; ) {
      before = this.sent.length;
      this.#accept();
      await turns(3);
    }
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

test('a peer that sends and does not read is not read any more at 128 answers, and nothing is lost', async () => {
  const channel = new StuckChannel();
  const served = new Served(channel, { echo: (params) => params });
  let asked = 0;
  for (; !channel.paused && asked < 10_000; asked++) {
    channel.hear(JSON.stringify({ id: asked, method: 'echo', params: asked }));
    await turns(2);
  }
  assert.ok(asked <= MAX_QUEUED_MESSAGES + 2, `${asked} requests were taken`);
  await channel.drain();
  assert.equal(channel.paused, false);
  assert.equal(channel.sent.length, asked);
  await served.connection.close();
});

test('malformed messages count as well', async () => {
  const channel = new StuckChannel();
  const served = new Served(channel);
  let said = 0;
  for (; !channel.paused && said < 10_000; said++) channel.hear('garbage');
  assert.ok(said <= MAX_QUEUED_MESSAGES + 2, `${said} messages were taken`);
  await served.connection.close();
});

test('no more than 1,024 requests are under way', async () => {
  const channel = new StuckChannel();
  const served = new Served(channel, { stuck: () => new Promise(() => {}) }, { drainLimitMs: 1 });
  let asked = 0;
  for (; !channel.paused && asked < 10_000; asked++) channel.hear(JSON.stringify({ id: asked, method: 'stuck' }));
  assert.equal(asked, MAX_RUNNING_REQUESTS);
  await served.connection.close();
});

test('with one place, 128 requests wait and then the peer does', async () => {
  const channel = new StuckChannel();
  const served = new Served(channel, { stuck: () => new Promise(() => {}) }, { concurrentRequests: 1 });
  let asked = 0;
  for (; !channel.paused && asked < 10_000; asked++) channel.hear(JSON.stringify({ id: asked, method: 'stuck' }));
  assert.equal(asked, MAX_QUEUED_MESSAGES + 1);
  assert.equal(served.started.length, 1);
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
  assert.ok(said < 2_000, `${said} were taken`);
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
