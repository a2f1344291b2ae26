import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ExecContract } from '../../src/contract/index.js';
import { Toolbox } from '../../src/tools/toolbox.js';
import { realHost, skip } from '../peers/peers.js';
import { supervise } from '../supervisor/hosts.js';
import { hostProgram } from '../support/v1-client.js';
import { said, says } from './fake-session.js';

const tokens = '// @exec: {"max_output_tokens": 10}\n';

/** Each is what a model does in one session, call by call. */
const dialogues: readonly (readonly (string | object)[])[] = [
  ['text("a"); text({ b: 1 })', 'text(await tools.who({}))', 'exit()', 'load("a")'],
  ['throw new Error("boom")', 'text("a");\nnull.b', 'const a = ;', 'throw "a string"'],
  ['// @exec: {"yield_time_ms": 20}\nawait new Promise(() => {})', { cell_id: '1', yield_time_ms: 20 }],
  ['// @exec: {"yield_time_ms": 0}\nawait new Promise(() => {})', { cell_id: '1', terminate: true }, { cell_id: '1' }],
  [
    '// @exec: {"yield_time_ms": 0}\nwhile (true) {}',
    { cell_id: 1, yield_time_ms: 0 },
    { cell_id: 1, terminate: true },
  ],
  [`${tokens}text("x".repeat(9000))`, `${tokens}text("x".repeat(9000)); throw new Error("boom")`],
  [`${tokens}text("a"); image("data:image/png;base64,AA=="); text("x".repeat(9000))`],
  [`${tokens}throw new Error("x".repeat(9000))`, '// @exec: {"max_output_tokens": 0}\nthrow new Error("boom")'],
  ['```js\ntext(1)\n```', '// @exec: 1\ntext(1)', { cell_id: '77' }, {}],
];

async function answers(t: TestContext, program: string, dialogue: readonly (string | object)[]): Promise<object[]> {
  const { host } = supervise(t, { program });
  await using contract = await ExecContract.open(host, { toolbox: new Toolbox([says('who')]) });
  const heard: object[] = [];
  for (const call of dialogue) {
    const answer = await (typeof call === 'string' ? contract.exec(call) : contract.wait(call));
    heard.push({ ...said(answer), items: answer.items.slice(1) });
  }
  return heard;
}

for (const dialogue of dialogues) {
  test(`with the real host and with ours a model reads the same: ${JSON.stringify(dialogue[0])}`, {
    skip,
  }, async (t) => {
    const [real, ours] = await Promise.all([answers(t, realHost, dialogue), answers(t, hostProgram, dialogue)]);
    assert.deepEqual(ours, real);
    assert.equal(ours.length, dialogue.length);
  });
}
