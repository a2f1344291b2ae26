/**
 * The second and third wall around a cell: how a runner's process is started. The third (a user and network namespace
 * of its own) is taken where the system offers it without privileges; a runner that does not come up behind it is the
 * sign that it does not.
 */
export class Walls {
  #namespaces = process.platform === 'linux';

  /** Whether runners get namespaces of their own, as far as is known. */
  get namespaces(): boolean {
    return this.#namespaces;
  }

  command(runner: string, heapMib: number): [string, ...string[]] {
    const node = [
      process.execPath,
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      '--disallow-code-generation-from-strings',
      process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission',
      `--allow-fs-read=${runner}`,
      '--max-semi-space-size=16',
      `--max-old-space-size=${heapMib}`,
      runner,
    ];
    return (this.#namespaces ? ['unshare', '--map-root-user', '--net', '--', ...node] : node) as [string, ...string[]];
  }

  /** Time zone and language decide what a cell's dates and numbers look like; nothing else gets in. */
  environment(): Record<string, string> {
    const names = Object.keys(process.env).filter((name) => /^(TZ|LANG|LC_\w+)$/.test(name));
    const path = this.#namespaces ? [['PATH', process.env.PATH ?? '/usr/bin:/bin']] : [];
    return Object.fromEntries([...names.map((name) => [name, process.env[name] ?? '']), ...path]);
  }

  /** A runner ended before it was up. */
  runnerFailed(): void {
    this.#namespaces = false;
  }
}
