import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonReporter } from '../../src/cli/json-reporter.js';
import { Output } from '../../src/cli/output.js';
import { parseArguments } from '../../src/cli/parse-arguments.js';
import { ToolSources } from '../../src/cli/tool-sources.js';
import { Trace } from '../../src/cli/trace.js';
import { type Method, ScriptedHost } from '../exec-server/client/scripted-host.js';
import { temporaryFile } from '../support/cli.js';
import { eventually } from '../support/processes.js';

// An exec-server has 10 s for an answer, and a module 30 s to load: nothing here takes that long.
const options = { timeout: 8_000 };

const silence: Method = ({ context }) =>
  new Promise((_, reject) => {
    context.signal.addEventListener('abort', () => reject(context.signal.reason), { once: true });
  });

function sources(...argv: string[]): ToolSources {
  const args = parseArguments(['describe', ...argv]);
  assert.ok(args.command === 'describe');
  const reporter = new JsonReporter(new Output(process.stderr));
  return new ToolSources(args, { cwd: '/', reporter, trace: new Trace(() => {}) });
}

for (const method of ['initialize', 'environment/info']) {
  test(`a mistake does not wait for an exec-server that is silent on ${method}`, options, async (t) => {
    const host = new ScriptedHost({ [method]: silence });
    const { url } = await host.listen(t);
    await using opened = sources('--tools', '/no/such/module.mjs', '--exec-server', url);
    await assert.rejects(opened.ready, { code: 'invalid-argument' });
    await eventually(() => host.open === 0);
  });

  test(`who gives up does not wait for an exec-server that is silent on ${method}`, options, async (t) => {
    const host = new ScriptedHost({ [method]: silence });
    const { url } = await host.listen(t);
    const opened = sources('--exec-server', url);
    await host.called(method);
    await opened[Symbol.asyncDispose]();
    await eventually(() => host.open === 0);
  });
}

test('who gives up does not wait for a module that is never there', options, async (t) => {
  const file = await temporaryFile(
    t,
    'late.tools.mjs',
    'await new Promise((done) => setTimeout(done, 20_000).unref());',
  );
  await sources('--tools', file)[Symbol.asyncDispose]();
});
