import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EventGauge } from '../../src/mcp/event-gauge.js';

const fits = (chunks: readonly string[], bytes = 10, lines = 3): boolean => {
  const gauge = new EventGauge(bytes, lines);
  return chunks.every((chunk) => gauge.add(Buffer.from(chunk)));
};

test('an event is over the limit when its lines are, and the next begins behind an empty line', () => {
  for (const end of ['\n', '\r', '\r\n']) {
    const ends = (text: string): string => text.replaceAll('|', end);
    assert.equal(fits([ends('12345|67890||'), ends('1234567890||')]), true, end);
    assert.equal(fits([ends('12345|67890|1')]), false, end);
    assert.equal(fits([ends('12345|'), ends('67890|'), '1']), false, end);
    assert.equal(fits([ends('1|2|3||1|2|3|')]), true, end);
    assert.equal(fits([ends('1|2|3|4|')]), false, end);
    assert.equal(fits([ends('||||||||||||||||')]), true, end);
  }
  assert.equal(fits(['12345678901']), false);
});

test('it is the same, byte after byte, as looking at the whole text', () => {
  const part = fc.constantFrom('a', 'bb', '\n', '\r', '\r\n', '\n\n');
  const text = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (whole) => {
      const events = whole.replace(/\r\n?/g, '\n').split(/(?<=^|\n)\n/);
      const expected = events.every(
        (event) => event.replaceAll('\n', '').length <= 10 && event.split('\n').length <= 4,
      );
      assert.equal(fits([...whole]), expected);
    }),
    { seed: 20_261, numRuns: 2_000 },
  );
});

test('the pause for which the server asks is read wherever the chunks end, and the last one counts', () => {
  const retryOf = (chunks: readonly string[]): number | undefined => {
    const gauge = new EventGauge(1_000, 1_000);
    for (const chunk of chunks) gauge.add(Buffer.from(chunk));
    return gauge.retryMs;
  };
  const stream = 'id: 1\nretry: 5000\r\ndata: x\n\nretry:20\r: retry: 7\n';
  assert.equal(retryOf([stream]), 20);
  assert.equal(retryOf([...stream]), 20);
  assert.equal(retryOf(['retry: 5000\n']), 5_000);
  for (const line of ['retry: 5000', 'retry: -1\n', 'retry: 1e3\n', 'retry\n', ' retry: 1\n', 'data: retry: 1\n']) {
    assert.equal(retryOf([line]), undefined, line);
  }
  assert.equal(retryOf(['retry: 1\n', `retry: ${'9'.repeat(500)}\n`]), 1);
});
