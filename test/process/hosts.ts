import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { hostEnvironment } from '../../src/process/environment.js';
import type { HostProcess } from '../../src/process/host-process.js';
import { type SpawnOptions, startHost } from '../../src/process/spawn.js';
import { groupIsGone } from '../support/processes.js';

/** Starts a host that is disposed of after the test, which fails if a member of its group is left. */
export async function start(
  test: TestContext,
  program: string,
  args: readonly string[] = [],
  more: Partial<SpawnOptions> & { cwd?: string } = {},
): Promise<HostProcess> {
  const { cwd, ...options } = more;
  const command = { program, args, ...(cwd === undefined ? {} : { cwd }) };
  const host = await startHost({ env: hostEnvironment({}), ...options, command });
  test.after(async () => {
    await host.dispose();
    await groupIsGone(host.pid);
  });
  return host;
}

export const startShell = (test: TestContext, script: string, more: Partial<SpawnOptions> = {}): Promise<HostProcess> =>
  start(test, '/bin/sh', ['-c', script], more);

export const startNode = (test: TestContext, script: string, more: Partial<SpawnOptions> = {}): Promise<HostProcess> =>
  start(test, process.execPath, ['-e', script], more);

export async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Waits until a line has come; the stream can be read on. */
export function firstLine(stream: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const end = text.indexOf('\n');
      if (end !== -1) resolve(text.slice(0, end));
    });
    stream.once('close', () => reject(new Error(`closed after ${JSON.stringify(text)}`)));
  });
}

export async function temporaryFolder(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'codemode-process-'));
  test.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function temporaryFile(
  test: TestContext,
  name: string,
  content: string | Uint8Array,
  mode = 0o755,
): Promise<string> {
  const file = join(await temporaryFolder(test), name);
  await writeFile(file, content, { mode });
  return file;
}
