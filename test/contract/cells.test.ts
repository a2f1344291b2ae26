import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ExecContract, type OpenContractOptions } from '../../src/contract/index.js';
import { Toolbox } from '../../src/tools/toolbox.js';
import { failure } from '../connection/fake-host.js';
import { supervise } from '../supervisor/hosts.js';
import { noTools, said, says, timeless } from './fake-session.js';

const open = async (t: TestContext, options: Partial<OpenContractOptions> = {}) => {
  const { host, pids } = supervise(t, {});
  return { contract: await ExecContract.open(host, { toolbox: noTools, ...options }), pids };
};

/** A tool that answers when the test says so. */
function gate() {
  let open = (): void => undefined;
  let called = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const entered = new Promise<void>((resolve) => {
    called = resolve;
  });
  const handler = async (): Promise<string> => {
    called();
    await opened;
    return 'opened';
  };
  return { tool: { ...says('gate'), handler }, entered, open };
}

const now = '// @exec: {"yield_time_ms": 0}\n';
const endless = `${now}text("a"); while (true) {}`;

test('a short cell is answered with its output', async (t) => {
  const { contract } = await open(t, { toolbox: new Toolbox([says('greet', 'hello')]) });
  const answer = await contract.exec('text(await tools.greet({}));\ntext({ a: 1 })');
  assert.deepEqual(said(answer), {
    status: 'completed',
    success: true,
    cellId: '1',
    text: 'Script completed\nWall time\nOutput:\nhello\n{"a":1}',
  });
});

test('a cell that runs on is waited for, and says each thing once', async (t) => {
  const { tool, open: release } = gate();
  const { contract } = await open(t, { toolbox: new Toolbox([tool]) });
  const first = await contract.exec(`${now}text("a"); text(await tools.gate({})); text("b")`);
  assert.equal(first.status, 'running');
  assert.match(first.text, /^Script running with cell ID 1\n/);
  release();
  const second = await contract.wait({ cell_id: first.cellId });
  assert.equal(second.status, 'completed');
  const output = [...first.items.slice(1), ...second.items.slice(1)];
  assert.deepEqual(
    output.map((item) => (item.type === 'input_text' ? item.text : item.type)),
    ['a', 'opened', 'b'],
  );
});

test('wait can end a cell, which is not found after that', async (t) => {
  const { contract } = await open(t);
  const { cellId } = await contract.exec(endless);
  assert.equal((await contract.wait({ cell_id: cellId, terminate: true })).status, 'terminated');
  assert.deepEqual(said(await contract.wait({ cell_id: cellId })), {
    status: 'failed',
    success: false,
    cellId: '1',
    text: 'Script failed\nWall time\nOutput:\nScript error:\nexec cell 1 not found',
  });
});

test('errors count their lines from the one after the settings', async (t) => {
  const { contract } = await open(t);
  const answer = await contract.exec('// @exec: {"yield_time_ms": 10000}\ntext("a");\nthrow new Error("boom")');
  assert.deepEqual(said(answer), {
    status: 'failed',
    success: false,
    cellId: '1',
    text: 'Script failed\nWall time\nOutput:\na\nScript error:\nError: boom\n    at exec_main.mjs:2:7',
  });
  const wrong = await contract.exec('// @exec: {"yield_time_ms": 10000}\nconst a = ;');
  assert.equal(wrong.status, 'failed');
  assert.match(wrong.text, /Script error:\nSyntaxError: /);
});

test('notifications name the call that they belong to, also after its answer', async (t) => {
  const { tool, open: release } = gate();
  const heard: unknown[] = [];
  const { contract } = await open(t, { toolbox: new Toolbox([tool]), onNotify: (told) => void heard.push(told) });
  const first = await contract.exec(`${now}await tools.gate({}); notify("late")`, { toolCallId: 'call_7' });
  assert.deepEqual([first.status, heard.length], ['running', 0]);
  release();
  assert.equal((await contract.wait({ cell_id: first.cellId })).status, 'completed');
  assert.deepEqual(heard, [{ toolCallId: 'call_7', name: 'exec', cellId: '1', text: 'late' }]);
});

test('a picture is an item of the answer', async (t) => {
  const { contract } = await open(t);
  const answer = await contract.exec('text("a"); image("data:image/png;base64,AA==")');
  assert.deepEqual(answer.items[2], {
    type: 'input_image',
    image_url: 'data:image/png;base64,AA==',
    detail: 'high',
  });
  assert.match(answer.text, /Output:\na\n\[image\]$/);
});

test('output beyond the tokens loses its middle, and a failed cell keeps the end of its error', async (t) => {
  const { contract } = await open(t);
  const long = 'text("x".repeat(9000));';
  const answer = await contract.exec(`// @exec: {"max_output_tokens": 10}\n${long}`);
  assert.match(
    answer.text,
    /Output:\nWarning: truncated output \(original token count: 2250\)\n.*\n\nx{20}…2240 tokens truncated…x{20}$/,
  );
  const failed = await contract.exec(`// @exec: {"max_output_tokens": 10}\n${long}throw new Error("boom")`);
  assert.equal(failed.items.length, 2);
  assert.match(failed.text, /tokens truncated…[\s\S]{20}$/);
  const { cellId } = await contract.exec(`// @exec: {"yield_time_ms": 0}\n${long}`);
  const waited = await contract.wait({ cell_id: cellId, max_tokens: 10 });
  assert.ok(waited.text.length < 400, waited.text);
});

test('two cells run at once, each with its own answers', async (t) => {
  const { tool, entered, open: release } = gate();
  const { contract } = await open(t, { toolbox: new Toolbox([tool]) });
  const slow = contract.exec('text(await tools.gate({}))');
  await entered;
  const quick = await contract.exec('text("quick")');
  assert.match(quick.text, /\nquick$/);
  release();
  const { cellId, text } = await slow;
  assert.match(text, /\nopened$/);
  assert.notEqual(cellId, quick.cellId);
});

test('an interruption ends the cell, of exec and of wait, also in an endless loop', async (t) => {
  const { tool, entered } = gate();
  // Preflight would wait for the call, and the loop would never begin.
  const { contract } = await open(t, { toolbox: new Toolbox([tool]), preflight: 'off' });
  const abort = new AbortController();
  const answering = contract.exec('text("a"); tools.gate({}); while (true) {}', { signal: abort.signal });
  await entered;
  abort.abort();
  const answer = await answering;
  assert.deepEqual([answer.status, timeless(answer.text)], ['terminated', 'Script terminated\nWall time\nOutput:\na']);
  const { cellId } = await contract.exec(endless);
  const again = new AbortController();
  const waiting = contract.wait({ cell_id: cellId }, { signal: again.signal });
  again.abort();
  assert.equal((await waiting).status, 'terminated');
  assert.match((await contract.wait({ cell_id: cellId })).text, /exec cell 2 not found$/);
});

test('yieldNow brings the answer of a cell that goes on', async (t) => {
  const { tool, entered, open: release } = gate();
  const { contract } = await open(t, { toolbox: new Toolbox([tool]) });
  const answering = contract.exec('text("a"); text(await tools.gate({}))');
  await entered;
  assert.equal(contract.yieldNow(), 1);
  const { status, cellId, text } = await answering;
  assert.deepEqual([status, text.endsWith('\na')], ['running', true]);
  release();
  assert.match((await contract.wait({ cell_id: cellId })).text, /\nopened$/);
});

test('a cell keeps the tools that it was started with', async (t) => {
  const { tool, entered, open: release } = gate();
  let toolbox = new Toolbox([tool, says('who', 'first')]);
  const { contract } = await open(t, { toolbox: () => toolbox });
  const answering = contract.exec('await tools.gate({}); text(await tools.who({}))');
  await entered;
  toolbox = new Toolbox([says('who', 'second')]);
  assert.match((await contract.exec('text(await tools.who({}))')).text, /\nsecond$/);
  release();
  assert.match((await answering).text, /\nfirst$/);
});

test('twenty cells that end at once find their tools', async (t) => {
  const { contract } = await open(t, { toolbox: new Toolbox([says('who')]) });
  const answers = await Promise.all(Array.from({ length: 20 }, () => contract.exec('text(await tools.who({}))')));
  assert.deepEqual([...new Set(answers.map((answer) => answer.text.split('\n').at(-1)))], ['who']);
});

test('the largest numbers that a model can set do no harm', async (t) => {
  const { contract } = await open(t);
  const most = Number.MAX_SAFE_INTEGER;
  const answer = await contract.exec(
    `// @exec: {"yield_time_ms": ${most}, "max_output_tokens": ${most}}\ntext("\ud800")`,
  );
  assert.match(answer.text, /\n\ufffd$/);
  const { cellId } = await contract.exec(`${now}text(1)`);
  assert.equal((await contract.wait({ cell_id: cellId, yield_time_ms: most, max_tokens: most })).status, 'completed');
});

test('a lost host rejects, and the next exec has a new one', async (t) => {
  const { contract, pids } = await open(t);
  const { cellId } = await contract.exec(endless);
  const waiting = failure(contract.wait({ cell_id: cellId }));
  process.kill(pids()[0]!, 'SIGKILL');
  assert.equal((await waiting).code, 'host-exited');
  assert.equal((await failure(contract.wait({ cell_id: cellId }))).code, 'host-exited');
  const next = await contract.exec('text(1)');
  assert.deepEqual([next.status, next.cellId], ['completed', 'g2:1']);
  const stale = await contract.wait({ cell_id: cellId });
  assert.deepEqual(said(stale), {
    status: 'refused',
    success: false,
    cellId: '1',
    text: 'cell 1 belongs to a stale code-mode host generation',
  });
});

test('close ends the session', async (t) => {
  const { contract } = await open(t);
  await contract.close();
  assert.equal((await failure(contract.exec('text(1)'))).code, 'session-closed');
});
