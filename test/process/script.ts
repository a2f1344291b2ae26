import { spawn } from 'node:child_process';

export const moduleUrl = (file: string): string => new URL(`../../src/process/${file}.js`, import.meta.url).href;

export interface ScriptResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

const prelude = `
const { startHost } = await import(${JSON.stringify(moduleUrl('spawn'))});
const { killAllHosts } = await import(${JSON.stringify(moduleUrl('live-groups'))});
const { hostEnvironment } = await import(${JSON.stringify(moduleUrl('environment'))});
const env = hostEnvironment({});
const sh = (script) => startHost({ command: { program: '/bin/sh', args: ['-c', script] }, env });
`;

/** Runs statements in a Node process of their own that has this folder's functions at hand. */
export const runScript = (
  body: string,
  options: { env?: NodeJS.ProcessEnv; cwd?: string; shell?: (command: string) => string } = {},
): Promise<ScriptResult> => {
  const args = ['--input-type=module', '-e', prelude + body];
  const started = performance.now();
  // With it, a number that is printed has a colour.
  const { FORCE_COLOR: _color, ...environment } = options.env ?? process.env;
  const shell = options.shell?.(`"$NODE" "$@"`);
  const child = spawn(
    shell === undefined ? process.execPath : '/bin/sh',
    shell === undefined ? args : ['-c', shell, 'sh', ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...environment, NODE: process.execPath },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    },
  );
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const stdout = Buffer.concat(out).toString();
      resolve({ code, signal, stdout, stderr: Buffer.concat(err).toString(), ms: performance.now() - started });
    });
  });
};
