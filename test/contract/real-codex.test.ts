import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExecContract } from '../../src/contract/index.js';
import { Codex } from '../peers/codex.js';
import { skip } from '../peers/peers.js';
import { ScriptedModel, type Turn } from '../peers/scripted-model.js';
import { supervise } from '../supervisor/hosts.js';
import { noTools, timeless } from './fake-session.js';

/** What one model does with both, call by call. Parser messages are each parser's own, and left out. */
const turns: readonly Exclude<Turn, { readonly say: string }>[] = [
  { exec: 'text("a"); text({ b: 1 })' },
  { exec: '// only a comment' },
  { exec: 'text("a"); throw new Error("boom")' },
  { exec: '// @exec: {"max_output_tokens": 1000}\n\nnull.b' },
  { exec: '// @exec: {"yield_time_ms": 20}\nawait new Promise(() => {})' },
  { wait: { cell_id: '5', yield_time_ms: 20 } },
  { wait: { cell_id: '77', yield_time_ms: 20 } },
  { exec: '// @exec: {"max_output_tokens": 20}\ntext("x".repeat(10_000))' },
  { exec: '// @exec: {"max_output_tokens": 20}\ntext("x".repeat(10_000)); throw new Error("boom")' },
  { exec: '// @exec: {"max_output_tokens": 20}\nthrow new Error("x".repeat(10_000))' },
  { exec: ' \n' },
  { exec: '// @exec: {}' },
  { exec: '// @exec:\ntext(1)' },
  { exec: '// @exec: [1]\ntext(1)' },
  { exec: '// @exec: {"timeout": 1}\ntext(1)' },
  { exec: '// @exec: {"yield_time_ms": -1}\ntext(1)' },
  { exec: '// @exec: {"yield_time_ms": 9007199254740992}\ntext(1)' },
  { exec: '\n// @exec: {"timeout": 1}' },
];

const textsOf = (output: unknown): string[] =>
  (typeof output === 'string' ? [{ text: output }] : (output as { text: string }[])).map(({ text }) => timeless(text));

test('what a model reads is what the real Codex tells it', { skip }, async (t) => {
  const model = await ScriptedModel.start(t, ...turns, { say: 'bye' });
  await new Codex(t, model).exec();
  const { host } = supervise(t, {});
  const contract = await ExecContract.open(host, { toolbox: noTools, preflight: 'off' });
  for (const [index, turn] of turns.entries()) {
    const answer = await ('exec' in turn ? contract.exec(turn.exec) : contract.wait(turn.wait));
    const ours = answer.items.map((item) => (item.type === 'input_text' ? timeless(item.text) : item.type));
    assert.deepEqual(ours, textsOf(model.outputs(index)[0]), JSON.stringify(turn));
  }
});
