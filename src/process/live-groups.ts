/** A group of processes that must not outlive this one. */
export interface LiveGroup {
  killNow(): void;
}

const groups = new Set<LiveGroup>();

/** SIGKILL to every host that is still ours. Synchronous, so that it works in an `exit` handler. */
export function killAllHosts(): void {
  for (const group of [...groups]) group.killNow();
}

/** Installed with the first group and removed with the last, so that an idle process carries no handler of ours. */
export function keepTrack(group: LiveGroup): void {
  if (groups.size === 0) process.on('exit', killAllHosts);
  groups.add(group);
}

export function loseTrack(group: LiveGroup): void {
  if (groups.delete(group) && groups.size === 0) process.removeListener('exit', killAllHosts);
}
