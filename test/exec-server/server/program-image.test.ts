import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSureToStart } from '../../../src/exec-server/server/program-image.js';
import { needsElf } from './limit-trial.js';
import { temporaryFolder } from './peer.js';

test(
  'a program for this machine is sure to start, and so is a script whose interpreter is one',
  needsElf,
  async (t) => {
    const folder = await temporaryFolder(t);
    const file = async (name: string, text: string): Promise<string> => {
      await writeFile(join(folder, name), text, { mode: 0o755 });
      return join(folder, name);
    };
    assert.equal(isSureToStart(process.execPath), true);
    assert.equal(isSureToStart('/bin/sh'), true);
    assert.equal(isSureToStart(await file('plain', '#!/bin/sh\necho\n')), true);
    assert.equal(isSureToStart(await file('spaces', '#! \t/bin/sh -e\n')), true);
    assert.equal(isSureToStart(await file('second', `#!${join(folder, 'plain')}\n`)), true);
    for (const [name, text] of Object.entries({
      'without a first line': 'echo\n',
      'without an end of the line': '#!/bin/sh',
      empty: '',
      'with an interpreter that is missing': '#!/nonexistent/sh\n',
      'from Windows': '#!/bin/sh\r\n',
      'whose interpreter is a folder': '#!/bin\n',
      'whose interpreter is relative': '#!bin/sh\n',
      'without an interpreter': '#!\n',
      'with a long line': `#!/bin/sh ${'x'.repeat(300)}\n`,
      'that is its own interpreter': `#!${join(folder, 'that is its own interpreter')}\n`,
    })) {
      assert.equal(isSureToStart(await file(name, text)), false, name);
    }
  },
);

test('what is broken, foreign, or no program at all is not sure to start', needsElf, async (t) => {
  const folder = await temporaryFolder(t);
  const whole = await readFile('/bin/sh');
  const changed = async (name: string, change: (bytes: Buffer) => Buffer): Promise<string> => {
    const bytes = Buffer.from(whole);
    await writeFile(join(folder, name), change(bytes), { mode: 0o755 });
    return join(folder, name);
  };
  const path = await changed('same', (bytes) => bytes);
  assert.equal(isSureToStart(path), true);
  await chmod(path, 0o644);
  assert.equal(isSureToStart(path), false, 'not executable');
  const machine = (bytes: Buffer): Buffer => {
    bytes.writeUInt16LE(bytes.readUInt16LE(18) + 1, 18);
    return bytes;
  };
  assert.equal(isSureToStart(await changed('foreign', machine)), false);
  assert.equal(isSureToStart(await changed('short', (bytes) => bytes.subarray(0, 100))), false);
  const loader = /\/lib[\w/.-]*\/ld-[\w.-]+\0/.exec(whole.toString('latin1'));
  if (loader !== null) {
    const lost = (bytes: Buffer): Buffer => {
      bytes.write('/lost', loader.index, 'latin1');
      return bytes;
    };
    assert.equal(isSureToStart(await changed('lost', lost)), false, 'without its loader');
  }
  const fifo = join(folder, 'fifo');
  assert.equal(spawnSync('mkfifo', ['-m', '755', fifo]).status, 0);
  for (const none of [folder, fifo, join(folder, 'missing'), '/dev/null', 'a\0b', '']) {
    assert.equal(isSureToStart(none), false, none);
  }
  await copyFile('/bin/sh', join(folder, 'again'));
  assert.equal(isSureToStart(Buffer.from(join(folder, 'again'))), true);
});
