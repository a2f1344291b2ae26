import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortClipNote } from '../../src/host/audio-clip.js';
import { Catalog } from '../../src/host/catalog.js';
import { effectiveYieldMs } from '../../src/host/observer.js';
import { RecentIds } from '../../src/host/recent-ids.js';
import { bridgeFault } from '../../src/host/runner/bridge-json.js';
import type { ToolDefinition } from '../../src/protocol/message.js';
import { toolProperty } from '../../src/protocol/tool-name.js';

test('tool names become properties code point by code point', () => {
  const cases = {
    'a-b.c d': 'a_b_c_d',
    '1abc': '_abc',
    '': '_',
    a$b: 'a$b',
    用户: '__',
    '👍x': '_x',
    new: 'new',
    '12': '_2',
  };
  for (const [name, property] of Object.entries(cases)) assert.equal(toolProperty(name), property, name);
});

test('yield times: default, grace from ten seconds up, cap', () => {
  const rows: [number | null, number | null, number][] = [
    [0, null, 0],
    [9_999, null, 9_999],
    [10_000, null, 11_000],
    [null, null, 11_000],
    [20_000, 20_000, 20_000],
    [10_000, 10_500, 10_500],
    [null, 100, 100],
    [1_000, 0, 0],
  ];
  for (const [asked, cap, expected] of rows) assert.equal(effectiveYieldMs(asked, cap), expected, `${asked}/${cap}`);
});

test('an id is forgotten when as many newer ones came as are remembered', () => {
  const ids = new RecentIds<number>(3);
  for (const id of [1, 2, 3]) ids.add(id);
  assert.ok(ids.has(1));
  ids.add(4);
  assert.ok(!ids.has(1) && ids.has(2));
});

const tool = (name: string): ToolDefinition => ({ name, tool_name: { name }, description: '', kind: 'function' });
const resolve = (catalog: Catalog, revision: number | null, ...names: string[]) => {
  const tools = names.map(tool);
  const found = catalog.resolve({ catalog_revision: revision, enabled_tools: tools, source: '', tool_call_id: '' });
  return typeof found === 'string' ? found : found.map(({ name }) => name);
};

test('a catalogue keeps the list of the highest revision', () => {
  const catalog = new Catalog();
  assert.deepEqual(resolve(catalog, null, 'x'), ['x']);
  assert.equal(resolve(catalog, 0, 'x'), 'invalid code-mode catalog revision');
  assert.equal(resolve(catalog, 1), 'unknown code-mode catalog revision');
  assert.deepEqual(resolve(catalog, 2, 'a', 'b'), ['a', 'b']);
  assert.deepEqual(resolve(catalog, 2), ['a', 'b']);
  assert.deepEqual(resolve(catalog, 2, 'a', 'b'), ['a', 'b']);
  assert.equal(resolve(catalog, 2, 'b', 'a'), 'conflicting code-mode catalog revision');
  assert.deepEqual(resolve(catalog, 1, 'old'), ['old']);
  assert.deepEqual(resolve(catalog, 2), ['a', 'b']);
  assert.deepEqual(resolve(catalog, 3, 'c'), ['c']);
  assert.equal(resolve(catalog, 2), 'unknown code-mode catalog revision');
});

test('bridge JSON: what a strict parser refuses is named with its column', () => {
  const prefix = 'failed to serialize JavaScript value: ';
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  assert.equal(bridgeFault(nested(127)), undefined);
  assert.equal(bridgeFault(nested(128)), `${prefix}recursion limit exceeded at line 1 column 128`);
  assert.equal(
    bridgeFault(`["é${'x'.repeat(300)}",${nested(127)}]`),
    `${prefix}recursion limit exceeded at line 1 column 433`,
  );
  assert.equal(bridgeFault(JSON.stringify(`[${'"'.repeat(400)}`)), undefined);
  assert.match(bridgeFault('"\\ud800"') ?? '', /unexpected end of hex escape at line 1 column \d+$/);
  assert.match(bridgeFault('"\\udc00"') ?? '', /lone leading surrogate in hex escape at line 1 column \d+$/);
  assert.equal(bridgeFault('"\\\\ud800"'), undefined);
  assert.equal(bridgeFault('{"a":{"$serde_json::private::Number":1}}'), `${prefix}reserved JSON object key`);
  assert.equal(bridgeFault('{"a":"$serde_json::private::Number"}'), undefined);
  assert.equal(bridgeFault(JSON.stringify({ a: '"$serde_json::private::Number":' })), undefined);
});

function wav(samples: number, rate = 8000): string {
  const bytes = Buffer.alloc(44 + samples * 2);
  bytes.write('RIFF', 0);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * 2, 28);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples * 2, 40);
  return `data:audio/wav;base64,${bytes.toString('base64')}`;
}

test('a WAV under 25 ms is omitted, whatever type is claimed; 25 ms and what is no WAV pass', () => {
  assert.match(shortClipNote(wav(199)) ?? '', /shorter than 25 ms/);
  assert.match(shortClipNote(wav(0).replace('audio/wav', 'audio/mp3')) ?? '', /shorter than 25 ms/);
  assert.equal(shortClipNote(wav(200)), undefined);
  for (const url of ['data:', 'data:audio/wav;base64,AAAA', 'data:audio/wav,RIFF', 'data:audio/wav;base64,']) {
    assert.equal(shortClipNote(url), undefined, url);
  }
});
