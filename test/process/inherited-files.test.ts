import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { root, temporaryFolder } from '../support/cli.js';

const module = fileURLToPath(new URL('../../src/process/inherited-files.js', import.meta.url));
const linux = process.platform === 'linux' ? {} : { skip: 'needs /proc' };

/** A program that was left two files, at numbers that Node does not keep back, and what its child has of them. */
async function childHas(t: TestContext, before: string): Promise<string[]> {
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
  assert.deepEqual(await childHas(t, 'new m.InheritedFiles().close()'), ['42']);
});

test('a number that was given to another file in the meantime is left alone', linux, async (t) => {
  const read = openSync('/etc/passwd', 'r');
  t.after(() => closeSync(read));
  const script = `import(${JSON.stringify(module)}).then((m) => {
    const fs = require('fs');
    const inherited = new m.InheritedFiles();
    fs.closeSync(3);
    const another = fs.openSync('/etc/group');
    inherited.close();
    console.log(JSON.stringify([another, fs.fstatSync(3).ino === fs.statSync('/etc/group').ino]));
  })`;
  const stdio = ['ignore', 'pipe', 'pipe', read] as const;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { stdio: [...stdio], encoding: 'utf8' });
  assert.deepEqual([stdout, stderr], ['[3,true]\n', '']);
});

test('files that Node reads on threads of its own are not taken for inherited', linux, async (t) => {
  const bundle = join(await temporaryFolder(t), 'bundle.pem');
  writeFileSync(bundle, `${rootCertificates.join('\n')}\n`.repeat(40)); // it takes a while to read
  const program = [join(root, 'bin/codemode-run.js'), 'exec-server', '--listen', 'stdio'];
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: bundle };
  for (let time = 0; time < 5; time++) {
    const { status, stderr } = spawnSync(process.execPath, program, { input: '', env, encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
  }
});
