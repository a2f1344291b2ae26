import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { V1Client } from '../support/v1-client.js';

let host: V1Client;
before(async () => {
  host = await V1Client.start({ maxHeapSizeBytes: 64 * 2 ** 20 });
  await host.open('bystander');
});
after(() => host.close());

const hogs: Record<string, string> = {
  'array buffers that are copied': 'const a = []; for (;;) a.push(new ArrayBuffer(1e7).slice(0))',
  'array buffers that are filled': 'const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1))',
  'a growing array of strings': 'const a = []; for (let i = 0; ; i++) a.push("x".repeat(1000) + i)',
  'one huge array': 'text(new Array(5e7).fill(0).length)',
  'objects in a map': 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })',
  'a catch around it': 'const a = []; for (;;) try { for (;;) a.push({}) } catch {}',
};

for (const [what, source] of Object.entries(hogs)) {
  test(`memory: ${what} end the cell alone, and it is told why`, {
    skip: process.platform !== 'linux' && 'reads /proc',
  }, async () => {
    const bystander = host.initial(
      host.execute('await tools.later(); text("alive")', { session: 'bystander', tools: ['later'] }),
    );
    let release = () => {};
    host.answer = () => new Promise<void>((resolve) => (release = resolve));
    await host.find((message) => message.type === 'delegate/request');
    host.messages.splice(0, host.messages.length);
    const result = await host.run(`text("start"); ${source}`);
    assert.match(result.error_text ?? '', /^out of memory: the cell used more memory than its limit of 64 MiB/);
    assert.deepEqual(result.content_items, [{ type: 'input_text', text: 'start' }]);
    release();
    const other = await bystander;
    assert.ok('Result' in other && other.Result.error_text === null);
    assert.deepEqual(await host.texts('text("the next one")'), ['the next one']);
  });
}

test('a cell below its limit is left alone, also with much garbage', async () => {
  const source =
    'let n = 0; for (let i = 0; i < 2e6; i++) n += ("x" + i).length; const keep = new Uint8Array(2e7).fill(1); text(n > 0)';
  assert.deepEqual(await host.texts(source), ['true']);
});
