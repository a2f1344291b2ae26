import { existsSync } from 'node:fs';
import { noNamespacesText, warningText } from './messages.js';

const UNSHARE = ['/usr/bin/unshare', '/bin/unshare'];

/**
 * The second and third wall around a cell: how a runner's process is started. The third (a user and network namespace
 * of its own) is taken where the system offers it without privileges.
 */
export class Walls {
  #unshare = process.platform === 'linux' ? UNSHARE.find((path) => existsSync(path)) : undefined;

  command(runner: string, heapMib: number): [string, ...string[]] {
    const node = [
      process.execPath,
      '--experimental-vm-modules',
      // Node's printer of warnings needs what the runner drops.
      '--no-warnings',
      '--disallow-code-generation-from-strings',
      process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
      `--allow-fs-read=${runner}`,
      '--max-semi-space-size=16',
      `--max-old-space-size=${heapMib}`,
      runner,
    ];
    const wall = this.#unshare === undefined ? [] : [this.#unshare, '--map-root-user', '--net', '--'];
    return [...wall, ...node] as [string, ...string[]];
  }

  /** Time zone and language decide what a cell's dates and numbers look like; nothing else gets in. */
  environment(): Record<string, string> {
    const names = Object.keys(process.env).filter((name) => /^(TZ|LANG|LC_\w+)$/.test(name));
    return Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
  }

  /** A runner ended before it was up. Only what `unshare` itself says brings the third wall down. */
  runnerFailed(how: string, stderr: string): void {
    const refusal = /^unshare: .*/m.exec(stderr)?.[0];
    if (this.#unshare === undefined || refusal === undefined) return;
    this.#unshare = undefined;
    process.stderr.write(warningText(noNamespacesText(refusal, how)));
  }
}
