import assert from 'node:assert/strict';
import { test } from 'node:test';
import { root, runCli } from '../support/cli.js';
import { timeless } from './fake-session.js';

test('the example is a whole harness: exec, running, wait, until the cell has completed', async (t) => {
  const { code, stdout, stderr } = await runCli(t, [], { shell: 'exec "$1" examples/harness.mjs', cwd: root });
  assert.deepEqual([code, stderr], [0, '']);
  const answers = stdout.split(/^model calls /m).slice(1);
  assert.match(answers[0] ?? '', /^exec: [\s\S]*^Script running with cell ID 1$/m);
  assert.match(answers[1] ?? '', /^wait: {"cell_id":"1"}$/m);
  assert.match(
    timeless(answers.at(-1) ?? ''),
    /Script completed\nWall time\nOutput:\n(?:asking\n)?Oslo: clear\nLisbon: clear\nReykjavik: cloudy\n\n$/,
  );
});
