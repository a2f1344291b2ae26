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
  const [, first] = details;
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
