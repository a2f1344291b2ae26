import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { type Json, MAX_FRAME } from '../host-wire.js';
import { PENDING, statement } from '../statement.js';
import { type TestedHost, tool } from '../tested-host.js';

const server = { outputTruncation: 'server' };
const png = 'data:image/png;base64,aGk=';

async function said(host: TestedHost, id: number, revision: number, tools: Json[]): Promise<string> {
  host.execute(id, 'text(Object.keys(tools).join())', { tools, more: { catalog_revision: revision } });
  const { result } = await host.response(id);
  return result.status === 'ok' ? (await host.first(id)).texts[0] : result.message;
}

export const output = [
  statement('H88', 'text, image and audio are items of these shapes', async (bench) => {
    const source = `text("t"); image("${png}"); image({image_url: "${png}", detail: "low"}); audio("data:audio/mpeg;base64,aGk=")`;
    const { content_items } = await (await bench.session()).run(2, source);
    deepEqual(content_items, [
      { type: 'input_text', text: 't' },
      { type: 'input_image', image_url: png, detail: 'high' },
      { type: 'input_image', image_url: png, detail: 'low' },
      { type: 'input_audio', audio_url: 'data:audio/mpeg;base64,aGk=' },
    ]);
  }),
  statement('H89', 'without server truncation a token limit changes nothing', async (bench) => {
    for (const open of [{}, { outputTruncation: null }, { outputTruncation: 'client' }]) {
      const { texts } = await (await bench.session(open)).run(2, 'text("x".repeat(120_000))', { maxTokens: 1 });
      equal(texts[0].length, 120_000);
    }
  }),
  statement(
    'H90',
    'server truncation of text: a heading, half the tokens from the head, half from the tail',
    async (bench) => {
      const host = await bench.session(server);
      const source = 'for (let i = 0; i < 50; i++) text("item" + i + " abcdefghij")';
      deepEqual((await host.run(2, source, { maxTokens: 20 })).texts, [
        'Warning: truncated output (original token count: 223)\nTotal output lines: 50\n\nitem0 abcdefghij\nitem1 abcdefghij\nitem2 …203 tokens truncated…ghij\nitem48 abcdefghij\nitem49 abcdefghij',
      ]);
      deepEqual((await host.run(3, 'text("a"); text("b")', { maxTokens: 20 })).texts, ['a', 'b']);
    },
  ),
  statement('H91', 'the limit is 10,000 tokens for each observation, unless it names another', async (bench) => {
    const host = await bench.session(server);
    const print = (letter: string) => `text("${letter}".repeat(90_000));`;
    const source = `${print('x')} yield_control(); ${print('y')} await tools.t(); ${print('z')} notify("all"); ${PENDING}`;
    const lengths = [(await host.run(2, source, { tools: [tool('t')], maxTokens: null })).texts[0].length];
    await host.asked(1);
    lengths.push((await host.wait(3, 10, '1', { maxOutputTokens: 30 })).texts[0].length);
    await host.result(1, null).asked(2);
    lengths.push((await host.terminate(4)).texts[0].length);
    const [first = 0, second = 0, last = 0] = lengths;
    for (const length of [first, last]) ok(length > 40_000 && length < 40_200, lengths.join());
    ok(second > 120 && second < 300, lengths.join());
  }),
  statement('H92', 'server truncation puts a script error among the texts', async (bench) => {
    const { texts, error_text } = await (await bench.session(server)).run(2, 'text("a"); throw new Error("q")');
    deepEqual(texts, ['a', `Script error:\n${error_text}`]);
  }),
  statement('H93', 'server truncation keeps 1 MiB of text, its first and last half, around a mark', async (bench) => {
    const host = await bench.session(server);
    const source = 'text("a".repeat(1_048_576) + "b".repeat(1_048_576))';
    const { texts } = await host.run(2, source, { maxTokens: 100_000_000 });
    deepEqual(
      texts.map((text: string) => (text.length < 300 ? text : text.length)),
      [
        524_288,
        '[Code Mode session output limit reached: omitted 1048576 text bytes; discarded 0 text segments, 0 images, 0 audio items]',
        524_288,
      ],
    );
  }),
  statement('H94', 'a catalogue is sent once and then named by its revision', async (bench) => {
    const host = await bench.session({}, ['tool-catalog-revision-v1']);
    deepEqual([await said(host, 2, 1, [tool('a'), tool('b')]), await said(host, 3, 1, [])], ['a,b', 'a,b']);
    deepEqual((await host.run(4, 'text(Object.keys(tools).join())')).texts, ['']);
  }),
  statement(
    'H95',
    'revisions: 0 is invalid, another list a conflict, an unknown one unknown, the highest kept',
    async (bench) => {
      const host = await bench.session({}, ['tool-catalog-revision-v1']);
      const [a, b] = [[tool('a')], [tool('b')]];
      const steps: [number, Json[], string][] = [
        [0, a, 'invalid code-mode catalog revision'],
        [1, [], 'unknown code-mode catalog revision'],
        [1, a, 'a'],
        [1, b, 'conflicting code-mode catalog revision'],
        [3, b, 'b'],
        [2, a, 'a'],
        [2, [], 'unknown code-mode catalog revision'],
        [3, [], 'b'],
      ];
      for (const [index, [revision, tools, expected]] of steps.entries()) {
        equal(await said(host, 2 + index, revision, tools), expected, `step ${index}`);
      }
    },
  ),
  statement('H96', 'a response that fits no frame is an error for its request; the cell is closed', async (bench) => {
    const host = await bench.session();
    host.execute(2, `text("x".repeat(${MAX_FRAME}))`, { yieldMs: 60_000 });
    const { result } = await host.initial(2);
    match(
      result.message,
      /^code-mode initial response exceeds the IPC frame limit: code-mode IPC frame length \d+ exceeds 67108864 bytes$/,
    );
    await host.closed();
    deepEqual((await host.run(3, 'text("alive")')).texts, ['alive']);
  }),
];
