import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './peer.js';

const module = fileURLToPath(new URL('../../../src/exec-server/server/inherited-files.js', import.meta.url));
const linux = process.platform === 'linux' ? {} : { skip: 'needs /proc' };

/** A program that was left two files, at numbers that Node does not keep back, and what its child has of them. */
async function childHas(t: Parameters<typeof temporaryFolder>[0], before: string): Promise<string[]> {
  const folder = await temporaryFolder(t);
  const [read, written] = [openSync('/etc/passwd', 'r'), openSync(join(folder, 'log'), 'w')];
  t.after(() => [read, written].forEach(closeSync));
  const stdio = Array.from({ length: 50 }, (): 'ignore' | 'pipe' | number => 'ignore');
  [stdio[1], stdio[40], stdio[41], stdio[42]] = ['pipe', read, 'pipe', written];
  const list = 'require("child_process").spawnSync("ls", ["/proc/self/fd"]).stdout.toString()';
  const script = `import(${JSON.stringify(module)}).then((m) => { ${before}; console.log(${list}); })`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { stdio, encoding: 'utf8' });
  assert.equal(stderr ?? '', '');
  return stdout.split('\n').filter((line) => Number(line) >= 40 && Number(line) < 50);
}

test('what a parent has left open does not reach children, but for files that are written to', linux, async (t) => {
  assert.deepEqual(await childHas(t, ''), ['40', '41', '42']);
  assert.deepEqual(await childHas(t, 'm.closeInheritedFiles()'), ['42']);
});
