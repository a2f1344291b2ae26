import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { eventually } from '../support/processes.js';
import { AppServer, Codex } from './codex.js';
import { skip } from './peers.js';
import { ScriptedModel, type Turn, textOf } from './scripted-model.js';

// The real Codex, with framed JSON, takes our host for its own. Its model is scripted.

const bye: Turn = { say: 'bye' };

/** Runs a script to its end through `codex exec`. */
async function play(t: TestContext, ...turns: readonly Turn[]): Promise<{ model: ScriptedModel; codex: Codex }> {
  const model = await ScriptedModel.start(t, ...turns, bye);
  const codex = new Codex(t, model);
  await codex.exec();
  assert.equal(model.asked, turns.length + 1, model.lastInput);
  return { model, codex };
}

describe('The real Codex with our host:', { skip }, () => {
  test('runs a cell, with our program in the place of its host', async (t) => {
    const model = await ScriptedModel.start(t, { exec: 'text("hello from a cell")' }, bye);
    await new Codex(t, model, { tapped: false }).exec();
    assert.match(model.text(0), /^Script completed\n.*hello from a cell$/s);
  });

  test('shakes hands, opens a session, executes, and shuts down', async (t) => {
    const { codex } = await play(t, { exec: 'text("x")' });
    assert.deepEqual(codex.said, ['connection/hello', 'session/open', 'session/execute', 'session/shutdown']);
    assert.ok(codex.frames.every(({ body }) => body === 'json'));
    const [hello, ready] = codex.frames;
    assert.deepEqual(ready?.message.capabilities, hello?.message.optionalCapabilities);
  });

  test('runs tools of its own for a cell, also several at once', async (t) => {
    const source = `const run = (cmd) => tools.exec_command({cmd, login: false});
      const both = await Promise.all([run("echo one"), run("echo two")]);
      text(both.map(({output}) => output.trim()).join("+"))`;
    const { model } = await play(t, { exec: source });
    assert.match(model.text(0), /one\+two$/);
  });

  test('hears that a tool has failed', async (t) => {
    const { model } = await play(t, {
      exec: 'try { await tools.apply_patch("nonsense") } catch (e) { text("caught " + e) }',
    });
    assert.match(model.text(0), /caught .*patch/s);
    assert.doesNotMatch(model.text(0), /is not a function/);
  });

  test('shows a script that fails', async (t) => {
    const { model } = await play(t, { exec: 'text("before"); throw new Error("boom")' });
    assert.match(model.text(0), /^Script failed.*before.*Script error:\nError: boom\n {4}at exec_main\.mjs:1:23$/s);
  });

  test('waits for a cell that has yielded', async (t) => {
    const source =
      '// @exec: {"yield_time_ms": 1}\ntext("first"); await new Promise((r) => setTimeout(r, 300)); text("second")';
    const { model } = await play(t, { exec: source }, { wait: { cell_id: '1', yield_time_ms: 60_000 } });
    assert.match(model.text(0), /^Script running with cell ID 1/);
    assert.match(model.text(1), /^Script completed.*second$/s);
    const all = model.text(0) + model.text(1);
    assert.equal(all.split('first').length, 2, `"first" is to be told once: ${all}`);
  });

  test('hears of a cell that is not there', async (t) => {
    const { model } = await play(t, { exec: '1' }, { wait: { cell_id: '7', yield_time_ms: 1 } });
    assert.match(model.text(1), /exec cell 7 not found/);
  });

  test('keeps stored values from call to call', async (t) => {
    const { model } = await play(t, { exec: 'store("k", {a: [1, 2]})' }, { exec: 'text(load("k"))' });
    assert.match(model.text(1), /\{"a":\[1,2\]\}$/);
  });

  test('takes notifications for outputs of the call', async (t) => {
    const { model } = await play(t, { exec: 'notify("half way"); text("done")' });
    const texts = model.outputs(0).map(textOf);
    assert.equal(texts.length, 2);
    assert.ok(texts.includes('half way'), texts.join());
    assert.ok(texts.some((text) => text.endsWith('done')));
  });

  test('takes pictures', async (t) => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { model } = await play(t, { exec: `text("look"); image("data:image/png;base64,${png}")` });
    const items = model.outputs(0)[0] as { type: string; image_url?: string }[];
    assert.deepEqual(
      items.map(({ type }) => type),
      ['input_text', 'input_text', 'input_image'],
    );
    assert.match(items[2]?.image_url ?? '', /^data:image\/png;base64,iVBOR/);
  });

  test('gets output that is cut to what it asked for', async (t) => {
    const { model, codex } = await play(t, { exec: '// @exec: {"max_output_tokens": 20}\ntext("x".repeat(10_000))' });
    assert.match(model.text(0), /Warning: truncated output \(original token count: 2500\).*…2480 tokens truncated…/s);
    const [open] = codex.frames.flatMap(({ message }) => (message.request as { outputTruncation?: string }) ?? []);
    assert.equal(open?.outputTruncation, 'server');
  });

  test('sends its tools once, and then their revision', async (t) => {
    const { codex } = await play(t, ...[1, 2].map(() => ({ exec: 'text(ALL_TOOLS.length)' })));
    const lists = codex.frames
      .map(({ message }) => message.request as { request?: { enabled_tools?: unknown[]; catalog_revision?: number } })
      .flatMap((request) => (request?.request?.enabled_tools === undefined ? [] : [request.request]));
    assert.deepEqual(
      lists.map(({ catalog_revision }) => catalog_revision),
      [1, 1],
    );
    assert.ok(Number(lists[0]?.enabled_tools?.length) > 0);
    assert.deepEqual(lists[1]?.enabled_tools, []);
  });

  test('starts a fresh host after the first was killed', async (t) => {
    const model = await ScriptedModel.start(t, { exec: 'await new Promise(() => {})' }, { exec: 'text("again")' }, bye);
    const codex = new Codex(t, model);
    const done = codex.exec();
    await eventually(() => codex.hostProcesses().length > 0 && codex.said.includes('session/execute'), 30_000);
    for (const { pid } of codex.hostProcesses()) process.kill(pid, 'SIGKILL');
    await done;
    assert.match(model.text(0), /^code-mode host (closed its stdout|exited with status)/);
    assert.match(model.text(1), /^Script completed.*again$/s);
  });

  test('can be interrupted while a cell runs, and goes on', async (t) => {
    const busy = 'notify("busy"); for (;;) {}';
    const model = await ScriptedModel.start(t, { exec: busy }, { exec: 'text("after")' }, bye);
    const codex = new Codex(t, model);
    const server = await AppServer.start(codex);
    const turn = await server.begin('go');
    await eventually(() => codex.said.includes('delegate/response'), 30_000);
    await server.interrupt(turn);
    assert.equal(await server.over(turn), 'interrupted');
    assert.ok(codex.said.includes('session/terminate'));
    const next = await server.begin('go on');
    assert.equal(await server.over(next), 'completed');
    assert.match(model.text(1), /^Script completed.*after$/s);
    await server.close();
  });

  test('can be interrupted while it waits for a cell', async (t) => {
    const pending = '// @exec: {"yield_time_ms": 1}\nawait new Promise(() => {})';
    const model = await ScriptedModel.start(t, { exec: pending }, { wait: { cell_id: '1', yield_time_ms: 100_000 } });
    const codex = new Codex(t, model);
    const server = await AppServer.start(codex);
    const turn = await server.begin('go');
    await eventually(() => codex.said.includes('session/wait'), 30_000);
    await server.interrupt(turn);
    assert.equal(await server.over(turn), 'interrupted');
    // Codex also cancels the wait, unless the answer to the terminate is quicker.
    assert.ok(codex.said.includes('session/terminate'));
    await eventually(() => codex.frames.some(({ message }) => message.type === 'cell/closed'));
    await server.close();
  });

  test('can be steered: the cell is left running, and its observation ends at once', async (t) => {
    const source = '// @exec: {"yield_time_ms": 100000}\ntext("so far"); notify("busy"); await new Promise(() => {})';
    const model = await ScriptedModel.start(t, { exec: source }, bye);
    const codex = new Codex(t, model);
    const server = await AppServer.start(codex);
    const turn = await server.begin('go');
    await eventually(() => codex.said.includes('delegate/response'), 30_000);
    await server.steer(turn, 'rather look over there');
    assert.equal(await server.over(turn), 'completed');
    assert.ok(codex.said.includes('operation/yield'), codex.said.join());
    assert.match(model.text(0), /^Script running with cell ID 1.*so far/s);
    assert.match(model.lastInput, /rather look over there/);
    await server.close();
  });
});
