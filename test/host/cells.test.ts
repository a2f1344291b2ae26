import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { V1Client } from '../support/v1-client.js';

let host: V1Client;
before(async () => {
  host = await V1Client.start();
});
after(() => host.close());

test('a cell puts out texts in order and completes', async () => {
  assert.deepEqual(await host.texts('text("a"); await null; text({b:1}); text(undefined); text(-0)'), [
    'a',
    '{"b":1}',
    'undefined',
    '0',
  ]);
});

test('the added globals are exactly those of the reference, in its order', async () => {
  const [names] = await host.texts('text(Object.keys(globalThis).join())');
  assert.equal(
    names,
    'tools,ALL_TOOLS,clearTimeout,setTimeout,text,content,image,audio,generatedImage,store,load,notify,yield_control,exit,as_settled,stream_settled',
  );
});

test('nothing of Node and no console is there', async () => {
  const names =
    'console process require module Buffer fetch URL structuredClone queueMicrotask setInterval setImmediate performance crypto WebAssembly Atomics SharedArrayBuffer global AsyncIterator Temporal gc'.split(
      ' ',
    );
  const source = `text([${names.map((name) => `typeof ${name}`).join()}].every((type) => type === 'undefined'))`;
  assert.deepEqual(await host.texts(source), ['true']);
});

test('an uncaught error carries its place in the cell and nothing of ours', async () => {
  const result = await host.run('function f() {\n  throw new Error("boom")\n}\nf()');
  assert.equal(result.error_text, 'Error: boom\n    at f (exec_main.mjs:2:9)\n    at exec_main.mjs:4:1');
});

test('thrown values that cannot be shown end only their own cell', async () => {
  for (const [source, expected] of [
    ['throw {get stack() { throw 1 }}', ''],
    ['throw {toString() { throw 1 }}', ''],
    ['throw Symbol()', ''],
    ['throw "text"', 'text'],
    ['throw {stack: "custom"}', 'custom'],
    ['let x = ;', "SyntaxError: Unexpected token ';'"],
    ['import "fs"', 'Unsupported import in exec: fs'],
    ['await import("fs")', 'unsupported import in exec'],
  ] as const) {
    assert.equal((await host.run(source)).error_text, expected, source);
  }
});

test('exit() ends the cell at once: no catch, no finally, no microtask', async () => {
  const source =
    'Promise.resolve().then(() => text("no")); try { text("a"); exit() } catch { text("no") } finally { text("no") }';
  assert.deepEqual(await host.texts(source), ['a']);
});

test('a timer that throws fails the cell without running its catch', async () => {
  const result = await host.run(
    'setTimeout(() => { throw new Error("t") }, 1); try { await new Promise(() => {}) } catch { text("no") }',
  );
  assert.match(result.error_text ?? '', /^Error: t\n/);
  assert.deepEqual(result.content_items, []);
});

test('microtasks run out before the cell ends, timers and rejections nobody handles do not matter', async () => {
  const source = `
    let p = Promise.resolve(); for (let i = 0; i < 1000; i++) p = p.then(() => {});
    p.then(() => text('last')); setTimeout(() => text('no'), 0); Promise.reject(new Error('nobody'));`;
  assert.deepEqual(await host.texts(source), ['last']);
});

test('timers fire in the order of their deadlines, and a delay beyond 2^31 does not fire', async () => {
  const source = `
    const seen = [];
    setTimeout(() => seen.push('never'), 2 ** 31 + 5);
    await new Promise((done) => { setTimeout(() => seen.push('b'), 500); setTimeout(() => seen.push('a'), 5); setTimeout(done, 500); });
    text(seen.join());`;
  assert.deepEqual(await host.texts(source), ['a,b']);
});

test('tools run in parallel, their failures are strings, their ids count from tool-1', async () => {
  const answer = (input: unknown) => {
    if (input === null) throw new Error('no input');
    return { got: input };
  };
  const source = `
    text(await Promise.all([1, 2, 3].map((n) => tools.echo(n))));
    try { await tools.echo() } catch (error) { text(typeof error + ' ' + error) }`;
  const texts = await host.texts(source, { tools: ['echo'], answer });
  assert.deepEqual(texts, ['[{"got":1},{"got":2},{"got":3}]', 'string no input']);
  const calls = host.messages.filter((message) => message.type === 'delegate/request');
  const ids = calls.map(({ request }) =>
    request.type === 'tool/invoke' ? request.invocation.runtime_tool_call_id : '',
  );
  assert.deepEqual(ids.slice(-4), ['tool-1', 'tool-2', 'tool-3', 'tool-4']);
});

test('5,000 calls in one tick are made, or refused one by one beyond the limit', async () => {
  const source = `
    const results = await Promise.allSettled(Array.from({ length: 5000 }, (_, n) => tools.id(n)));
    const failed = results.filter((r) => r.status === 'rejected');
    text(results.filter((r) => r.status === 'fulfilled').length + failed.length);
    text([...new Set(failed.map((r) => r.reason))].join());`;
  const [count, reasons] = await host.texts(source, { tools: ['id'], answer: (input) => input });
  assert.equal(count, '5000');
  assert.ok(reasons === '' || reasons === 'code-mode host has too many pending delegate calls', reasons);
});

test('a tool result nested 200 deep does not end the connection', async () => {
  // The frame that carries it is one level too deep for the protocol, so it is asked for one below that limit.
  const nested = JSON.parse('['.repeat(120) + ']'.repeat(120)) as unknown;
  assert.deepEqual(
    await host.texts('text(JSON.stringify(await tools.deep()).length)', { tools: ['deep'], answer: () => nested }),
    ['240'],
  );
});

test('stored values last for the session, are copies, and a syntax error leaves them alone', async () => {
  await host.texts('const v = {n: 1}; store("v", v); v.n = 2; text(load("v").n)');
  await host.run('store("v", ) let');
  assert.deepEqual(await host.texts('const v = load("v"); v.n++; text(v); text(load("v"))'), ['{"n":2}', '{"n":1}']);
});

test('as_settled yields in the order of settling', async () => {
  const source = `
    const late = new Promise((done) => setTimeout(done, 20, 1));
    for await (const { index, status, value, reason } of as_settled([late, Promise.reject('r'), 7])) text([index, status, reason ?? value ?? null]);`;
  assert.deepEqual(await host.texts(source), ['[1,"rejected","r"]', '[2,"fulfilled",7]', '[0,"fulfilled",null]']);
});

test('a cell that replaces built-ins still gets its results', async () => {
  const source = `
    Promise.prototype.then = Array.prototype.push = JSON.parse = JSON.stringify = Reflect.apply = null;
    Object.prototype.then = undefined; String.prototype.toLowerCase = null;
    const answer = await tools.id({ a: 1 });
    text('a' in answer); image('data:image/png;base64,AAAA');`;
  assert.deepEqual(await host.texts(source, { tools: ['id'], answer: (input) => input }), ['true', 'input_image']);
});

test('cells of one session run side by side', async () => {
  const spinning = host.execute('while (true) {}', { yieldMs: 1 });
  const yielded = await host.initial(spinning);
  assert.ok('Yielded' in yielded);
  assert.deepEqual(await host.texts('text("meanwhile")'), ['meanwhile']);
  const outcome = await host.terminate(yielded.Yielded.cell_id);
  assert.ok('LiveCell' in outcome && 'Terminated' in outcome.LiveCell);
});

test('what a spinning cell said before is delivered by the next wait', async () => {
  const id = host.execute('text("before"); while (true) {}', { yieldMs: 0 });
  const first = await host.initial(id);
  assert.ok('Yielded' in first);
  const { cell_id } = first.Yielded;
  const texts: string[] = [];
  while (texts.length === 0) {
    const outcome = await host.wait(cell_id, 20);
    assert.ok('LiveCell' in outcome && 'Yielded' in outcome.LiveCell);
    for (const item of outcome.LiveCell.Yielded.content_items) if (item.type === 'input_text') texts.push(item.text);
  }
  assert.deepEqual(texts, ['before']);
  await host.terminate(cell_id);
});

test('output beyond what a frame holds comes in several answers, and none of it is lost', async () => {
  const source = 'for (let i = 0; i < 150; i++) text(i + " " + "x".repeat(2 ** 20))';
  let response = await host.initial(host.execute(source));
  const numbers: string[] = [];
  const take = (items: readonly { type: string; text?: string }[]) => {
    for (const item of items) numbers.push((item.text ?? '').split(' ')[0] ?? '');
  };
  let answers = 1;
  for (; 'Yielded' in response; answers++) {
    take(response.Yielded.content_items);
    const outcome = await host.wait(response.Yielded.cell_id, 60_000);
    assert.ok('LiveCell' in outcome);
    response = outcome.LiveCell;
  }
  assert.ok('Result' in response);
  take(response.Result.content_items);
  assert.ok(answers > 2);
  assert.deepEqual(
    numbers,
    Array.from({ length: 150 }, (_, n) => String(n)),
  );
  host.messages.length = 0;
});

test('a rejection that is handled late does not harm the cell', async () => {
  const answer = (_: unknown, name: string) => {
    if (name === 'b') throw new Error('no b');
    return new Promise((resolve) => setTimeout(resolve, 50, 'A'));
  };
  const source = `
    const a = tools.a(), b = tools.b();
    text(await a); try { await b } catch (error) { text(error) }
    await tools.a(); text('alive');`;
  assert.deepEqual(await host.texts(source, { tools: ['a', 'b'], answer }), ['A', 'no b', 'alive']);
});

test('a cell that claims to be missing is not', async () => {
  let go = (_: null): void => {};
  const later = new Promise<null>((resolve) => {
    go = resolve;
  });
  const source = 'await tools.later(); throw "exec cell 9 not found"';
  const id = host.execute(source, { tools: ['later'], yieldMs: 1, answer: () => later });
  const first = await host.initial(id);
  assert.ok('Yielded' in first);
  go(null);
  const outcome = await host.wait(first.Yielded.cell_id, 60_000);
  assert.ok('LiveCell' in outcome && 'Result' in outcome.LiveCell);
});

test('what is too large for a frame fails alone: a call, a notification, an error', async () => {
  const source = `
    try { await tools.id('x'.repeat(7e7)) } catch (error) { text(error.replace(/\\d{5,}/, 'N')) }
    notify('\u0001'.repeat(2e7)); notify('x'.repeat(7e7));
    text('alive');`;
  const texts = await host.texts(source, { tools: ['id'], answer: (input) => input });
  assert.deepEqual(texts, ['code-mode IPC frame length N exceeds 67108864 bytes', 'alive']);
  await assert.rejects(host.run('throw "x".repeat(2 ** 27)'), /exceeds the IPC frame limit/);
  assert.deepEqual(await host.texts('text("next")'), ['next']);
});

test('large stored values reach the next cell, and there is a limit to them', async () => {
  await host.open('stores');
  await host.run('store("k", "x".repeat(9e7))', { session: 'stores' });
  assert.deepEqual(await host.texts('text(load("k").length)', { session: 'stores' }), ['90000000']);
  const source = 'try { for (let n = 0; ; n++) store("k" + n, "x".repeat(5e7)) } catch (error) { text(error) }';
  const [error] = await host.texts(source, { session: 'stores' });
  assert.match(error ?? '', /^Unable to store "k\d"\. The stored values of a session may have 268435456 characters/);
});

test('a tool result of 60 MB full of line feeds reaches the cell', async () => {
  const large = '\n'.repeat(3e7);
  assert.deepEqual(await host.texts('text((await tools.give()).length)', { tools: ['give'], answer: () => large }), [
    '30000000',
  ]);
});

test('20,000 notifications at once all arrive, in order', async () => {
  host.messages.length = 0;
  await host.texts('for (let n = 0; n < 20000; n++) notify(n); text("done")');
  const numbers = host.messages.flatMap((message) =>
    message.type === 'delegate/request' && message.request.type === 'notification/send'
      ? [Number(message.request.text)]
      : [],
  );
  assert.equal(numbers.length, 20_000);
  assert.ok(numbers.every((number, index) => number === index));
  host.messages.length = 0;
});

test('100,000 timers fire in order', async () => {
  const source = `
    let next = 0, ok = true;
    await new Promise((done) => {
      for (let n = 0; n < 1e5; n++) setTimeout(() => { ok &&= n === next++; if (n === 1e5 - 1) done() }, 0);
    });
    text(ok);`;
  assert.deepEqual(await host.texts(source), ['true']);
});
