import { type ProcessIdentity, processAt } from './process-list.js';

/** Every signal of the exec-server but those of `src/process/process-group.ts` is sent here, after a look at who gets it. */
export function signalProcess(target: ProcessIdentity, signal: NodeJS.Signals): boolean {
  // Between finding a process and signalling it, it may have ended and its number gone to a stranger.
  if (target.pid <= 1 || target.pid === process.pid) return false;
  if (processAt(target.pid)?.start !== target.start) return false;
  return sent(target.pid, signal);
}

/** To the members of the group that `leader` leads. For a leader that was not reaped yet: then the number is still its own. */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  if (!Number.isSafeInteger(leader) || leader <= 1 || leader === process.pid) return false;
  return sent(-leader, signal);
}

function sent(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}
