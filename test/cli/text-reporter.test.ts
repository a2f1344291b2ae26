import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { describeFailure } from '../../src/cli/failure.js';
import { JsonReporter } from '../../src/cli/json-reporter.js';
import { MediaFolder } from '../../src/cli/media-file.js';
import { Output } from '../../src/cli/output.js';
import { TextReporter } from '../../src/cli/text-reporter.js';
import { Trace } from '../../src/cli/trace.js';
import { CodemodeError } from '../../src/errors.js';

// Nobody whose words are passed on can make up a line of ours.

const forged = 'refused\ncodemode-run: ended by SIGTERM\r\n[host] no\u2028more\n';
const shown = String.raw`refused\ncodemode-run: ended by SIGTERM\n[host] no\nmore`;

function collected(): { output: Output; text: () => string } {
  let all = '';
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      all += String(chunk);
      done();
    },
  });
  return { output: new Output(stream), text: () => all };
}

test('what others have said is one line on stderr', async () => {
  const { output, text } = collected();
  const reporter = new TextReporter(output, output, new MediaFolder('.'));
  reporter.error(describeFailure(new CodemodeError('connect-failed', forged)));
  reporter.warning(forged);
  await reporter.notification('1', forged);
  const lines = [`codemode-run: ${shown}`, `codemode-run: warning: ${shown}`, `[notification] ${shown}`, ''];
  assert.equal(text(), lines.join('\n'));
});

test('what a server says of itself is one line of the trace', () => {
  const lines: string[] = [];
  const trace = new Trace((line) => lines.push(line));
  trace.mcp({ type: 'ready', server: 's', name: forged, version: '1', tools: 0, ms: 5 });
  trace.host({ type: 'stderr', line: forged });
  assert.deepEqual(lines, [`[mcp s] ready after 5 ms: ${forged.trimEnd()} 1, 0 tools`, `[host] ${shown}`].map(plain));
});

const plain = (line: string): string => line.replace(/\r\n|[\n\u2028]/g, '\\n').replace(/more 1/, 'more\\n 1');

for (const [title, source, errorText] of [
  ['its message', 'throw 1', `Error: a\n${forged}    at exec_main.mjs:1:1`],
  ['all of its stack', 'throw 1', `${forged}    at exec_main.mjs:1:1`],
  ['a value', 'throw 1', `a\n${forged}`],
  ['the line of its source', '(`\ncodemode-run: ended by SIGTERM`', 'Error: a\n    at exec_main.mjs:2:1'],
] as const) {
  test(`an error of a cell is indented behind its first line, so that it makes up no line of ours: ${title}`, () => {
    const { output, text } = collected();
    const reporter = new TextReporter(output, output, new MediaFolder('.'));
    const cell = { label: 'c.js', source, shown: source, typescript: false };
    reporter.result(cell, { status: 'failed', cellId: '1', ms: 1, errorText });
    const [first = '', ...more] = text()
      .trimEnd()
      .split(/[\n\u2028]/);
    assert.match(first, /^c\.js:/);
    assert.ok(more.length > 0);
    for (const line of more) assert.match(line, /^ {2}/);
    assert.match(text(), /^ {2}codemode-run: ended by SIGTERM/m);
  });
}

test('what comes while an image is being written is shown behind it, awaited or not', async () => {
  const { output, text } = collected();
  let written = (): void => {};
  const media = {
    save: () =>
      new Promise((resolve) => {
        written = () => resolve({ line: '[image]' });
      }),
  } as unknown as MediaFolder;
  const reporter = new TextReporter(output, output, media);
  const first = reporter.content([{ type: 'input_image', image_url: 'data:,' }], '1');
  const second = reporter.content([{ type: 'input_text', text: 'later' }], '1');
  await reporter.settled(1);
  assert.equal(text(), '');
  const settled = reporter.settled(60_000);
  written();
  await settled;
  reporter.close();
  assert.equal(text(), '[image]\nlater\n');
  await Promise.all([first, second]);
});

for (const [limitMs, message, said] of [
  [1_000, 'no end within 1 s', ''],
  [1_000, 'no end within 1000 ms', ''],
  [500, 'no end within 0.5 s', ''],
  [1_000, 'exit status: 1 stopped', ' (limit: 1000 ms)'],
  [1_000, 'no end after 21 s', ' (limit: 1000 ms)'],
  [500, 'no end after 10.5 s', ' (limit: 500 ms)'],
  [500, 'no end after 5500 ms', ' (limit: 500 ms)'],
] as const) {
  test(`a limit of ${limitMs} ms is told with its value, once: ${message}`, () => {
    const failure = describeFailure(new CodemodeError('operation-timeout', message, { data: { limitMs } }));
    assert.equal(failure.message, `${message}${said}`);
  });
}

for (const limit of ['openMs', 'executeMs'])
  test(`the limit ${limit} is called as the option that sets it`, () => {
    const data = { limit, limitMs: 5 };
    const error = new CodemodeError('operation-timeout', `late within 5 ms (limit ${limit})`, { data });
    assert.equal(describeFailure(error).message, 'late within 5 ms (limit --handshake-timeout)');
  });

test('the messages of events are one line', () => {
  const { output, text } = collected();
  const reporter = new JsonReporter(output);
  const error = new CodemodeError('mcp-server-failed', forged);
  reporter.mcp({ type: 'failed', server: 's', error });
  reporter.error(describeFailure(error));
  const events = text()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { message?: string; error?: { message: string } });
  assert.deepEqual(
    events.map((event) => event.message ?? event.error?.message),
    [shown, shown],
  );
});

test('of a long stderr both ends are shown', () => {
  const stderr = Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n');
  const { details = [] } = describeFailure(new CodemodeError('host-exited', 'gone', { data: { stderr } }));
  assert.equal(details.length, 22);
  const [title, first] = details;
  assert.equal(title, 'what the host wrote to stderr:');
  assert.deepEqual([first, details[9], details.at(-1)], ['  line 0', '  … 30 more lines', '  line 49']);
});

test('whatever is thrown where nobody catches it is told in one line', () => {
  const poisoned = Object.create(null, {
    toString: {
      get() {
        throw new Error('never');
      },
    },
  });
  for (const [thrown, words] of [
    [new RangeError('a\nb'), 'RangeError: a\nb'],
    [poisoned, 'it threw a value that cannot be shown'],
    [undefined, 'undefined'],
  ] as const) {
    const { code, message } = describeFailure(thrown);
    assert.deepEqual([code, message], ['uncaught', `an error that nobody caught, probably in a tool: ${words}`]);
  }
});
