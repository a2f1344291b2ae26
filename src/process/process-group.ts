import { spawnSync } from 'node:child_process';
import { keepTrack, type LiveGroup, loseTrack } from './live-groups.js';

/** The only place that signals anything. A host leads a group of its own, whose id is noted at spawn: its pid. */
export class ProcessGroup implements LiveGroup {
  readonly #leader: number;
  readonly #windows: boolean;
  #leaderGone = false;
  #finished = false;

  constructor(leader: number, platform: NodeJS.Platform = process.platform) {
    // 0 would mean our own group, -1 every process of the user, 1 is init; and a host is never ourselves.
    if (!Number.isSafeInteger(leader) || leader <= 1 || leader === process.pid) {
      throw new RangeError(`not the id of a host's group: ${leader}`);
    }
    this.#leader = leader;
    this.#windows = platform === 'win32';
    keepTrack(this);
  }

  /** The leader was reaped: from now on the id is only reserved as long as other members live. */
  leaderHasExited(): void {
    this.#leaderGone = true;
  }

  /**
   * SIGKILL to every member. While the leader is unreaped this can be repeated; after that it works once more, for those
   * who outlived it, and then never again: the system may give the id to a stranger.
   */
  kill(): void {
    if (this.#finished) return;
    if (this.#windows) this.#killTree();
    else this.#signalGroup();
    this.#finishIfLeaderGone();
  }

  /** As `kill`, and done when it returns, on Windows too: for the last moment of this process. */
  killNow(): void {
    if (this.#windows && !this.#leaderGone) {
      const options = { stdio: 'ignore', windowsHide: true } as const;
      const { status } = spawnSync('taskkill', ['/pid', String(this.#leader), '/T', '/F'], options);
      if (status !== 0) signalled(this.#leader);
    } else {
      this.kill();
    }
  }

  #finishIfLeaderGone(): void {
    if (!this.#leaderGone) return;
    this.#finished = true;
    loseTrack(this);
  }

  #signalGroup(): void {
    if (signalled(-this.#leader) || this.#leaderGone) return;
    // Some systems refuse the group when one member has become another user's; the leader is ours all the same.
    signalled(this.#leader);
  }

  /** Windows has no groups: the tree must be walked while its root lives. Loaded late, as no other system needs it. */
  #killTree(): void {
    if (this.#leaderGone) return;
    const leader = this.#leader;
    const killLeader = (): void => {
      if (!this.#leaderGone) signalled(leader);
    };
    import('tree-kill')
      .then(({ default: treeKill }) => {
        if (this.#leaderGone) return;
        treeKill(leader, 'SIGKILL', (error) => {
          if (error instanceof Error) killLeader();
        });
      })
      .catch(killLeader);
  }
}

/** False when there is nobody left (ESRCH) or we are not allowed to: a cleanup has no use for the exception. */
function signalled(target: number): boolean {
  try {
    return process.kill(target, 'SIGKILL');
  } catch {
    return false;
  }
}

/**
 * There is no other way to end a program one of whose threads does not come back. Who ends because of a signal dies of that
 * very signal, which is what a parent sees of a program that has not caught it.
 */
export function killOurselves(signal: NodeJS.Signals = 'SIGKILL'): void {
  if (signal !== 'SIGKILL') {
    // A first and a last listener: also a signal that Node ignores from the start is what the system makes of it again.
    process.on(signal, () => {});
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  process.kill(process.pid, 'SIGKILL');
}
