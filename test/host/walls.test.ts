import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { V1Client } from '../support/v1-client.js';

// Defensive probes: what a cell could try in order to reach the process behind it, and must not get.

let host: V1Client;
before(async () => {
  host = await V1Client.start({}, { SECRET_OF_THE_HOST: 'x' });
});
after(() => host.close());

const run = 'return typeof process + typeof require + typeof globalThis.Buffer';
const nothing = 'undefinedundefinedundefined';

const ways: Record<string, string> = {
  'the function constructor': `Function(${JSON.stringify(run)})()`,
  'the rejection of an import': `await import('x').catch((e) => (e.constructor?.constructor ?? Function)(${JSON.stringify(run)})())`,
  'the promise of an import': `(() => { const p = import('x'); p.catch(() => {}); return p.constructor.constructor(${JSON.stringify(run)})() })()`,
  'the failure of a tool': `await tools.fail().catch((e) => e.constructor.constructor(${JSON.stringify(run)})())`,
  'the result of a tool': `(await tools.give()).constructor.constructor(${JSON.stringify(run)})()`,
  'the promise of a tool': `(() => { const p = tools.give(); return p.constructor.constructor(${JSON.stringify(run)})() })()`,
  'a tool function': `tools.give.constructor(${JSON.stringify(run)})()`,
  'a helper': `text.constructor(${JSON.stringify(run)})()`,
  'a call site': `(() => { Error.prepareStackTrace = (e, sites) => sites; const s = new Error().stack; return s.constructor.constructor(${JSON.stringify(run)})() })()`,
  'the receiver of a call site': `(() => { Error.prepareStackTrace = (e, sites) => sites.map((s) => s.getThis?.() ?? s.getFunction?.()).filter(Boolean); return new Error().stack.map((o) => (o.constructor?.constructor ?? Function)(${JSON.stringify(run)})()).join() || ${JSON.stringify(nothing)} })()`,
  'a replaced Promise.prototype.then': `await (async () => { const seen = []; const { then } = Promise.prototype; Promise.prototype.then = function (...args) { seen.push(...args); return Reflect.apply(then, this, args) }; await tools.give(); await { then: (done) => done() }; Promise.prototype.then = then; globalThis.seen = seen; return seen.map((f) => f.constructor(${JSON.stringify(run)})()).join('') || ${JSON.stringify(nothing)} })()`,
  'a loaded value': `(store('v', {}), load('v').constructor.constructor(${JSON.stringify(run)})())`,
  'a stack overflow inside a helper': `(() => { let seen; const dive = () => { try { dive() } catch (e) { seen ??= e; try { text('') } catch (f) { if (typeof f === 'object') seen = f } } }; dive(); return (seen.constructor?.constructor ?? Function)(${JSON.stringify(run)})() })()`,
};

for (const [way, expression] of Object.entries(ways)) {
  test(`${way} does not lead out`, async () => {
    const source = `let r; try { r = ${expression} } catch (e) { r = 'refused: ' + e } text('found ' + r)`;
    const answer = (_: unknown, name: string) => {
      if (name === 'fail') throw new Error('no');
      return {};
    };
    const texts = await host.texts(source, { tools: ['fail', 'give'], answer });
    const last = texts.at(-1) ?? '';
    assert.ok(last === `found ${nothing}` || last.startsWith('found refused: '), last);
  });
}

test('an overflow of the stack inside a helper shows no error of another realm', async () => {
  const source = `
    const foreign = [];
    for (const call of [() => setTimeout(() => {}), () => clearTimeout(1), () => load('k'), () => store('k', 1), () => text({ toJSON() { return '' } })]) {
      const dive = () => { try { call() } catch (e) { if (typeof e === 'object' && !(e instanceof Error)) foreign.push(String(call)) } dive(); };
      try { dive() } catch (e) { if (typeof e === 'object' && !(e instanceof Error)) foreign.push('dive ' + call) }
    }
    text('foreign: ' + foreign);`;
  const texts = await host.texts(source, { tools: ['give'], answer: () => 1 });
  assert.equal(texts.at(-1), 'foreign: ');
});

test('whoever replaces then, also for the promise of its own module, sees functions of its own realm only', async () => {
  const source = `
    Promise.prototype.then = function (...args) { for (const f of args) text(f instanceof Function); };
    Object.defineProperty(Promise.prototype, 'constructor', { get() { text('asked'); return undefined } });
    setTimeout(() => {}, 1); await null; text('done');`;
  const texts = await host.texts(source);
  assert.ok(!texts.includes('false') && !texts.includes('asked'), texts.join());
  assert.equal(texts.at(-1), 'done');
});

test('a sloppy function of the cell does not learn who called it, whichever helper it is called through', async () => {
  const source = `
    globalThis.names = [];
    const spy = globalThis.spy = new Function("var f = globalThis.spy, n = 0; try { while ((f = f.caller) && n++ < 20) names.push(f.name || 'nameless') } catch {} return 'x'");
    const value = { toJSON: spy, toString: spy, valueOf: spy, get type() { return spy() }, get image_url() { return spy() }, [Symbol.iterator]: undefined };
    const calls = [text, notify, content, image, audio, generatedImage, (v) => store('k', v), (v) => store(v, 1), load, tools.give, (v) => setTimeout(() => {}, v), clearTimeout];
    for (const call of calls) try { call(value) } catch {}
    Object.defineProperty(Promise.prototype, 'constructor', { get: spy });
    text('seen: ' + names);`;
  const texts = await host.texts(source, { tools: ['give'], answer: () => 1 });
  assert.equal(texts.at(-1), 'seen: ');
});

test('a session sees nothing of another, and a cell nothing of the one before it', async () => {
  await host.open('other');
  await host.texts('store("k", 1); globalThis.left = 1; Array.prototype.left = 1');
  assert.deepEqual(await host.texts('text([typeof left, [].left, load("k")])'), ['["undefined",null,1]']);
  assert.deepEqual(await host.texts('text([typeof left, load("k")])', { session: 'other' }), ['["undefined",null]']);
});
