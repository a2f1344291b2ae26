import { type ProcessIdentity, processAt } from './process-list.js';

/** Every signal of the exec-server but those of `src/process/process-group.ts` is sent here, after a look at who gets it. */
export function signalProcess(target: ProcessIdentity, signal: NodeJS.Signals): boolean {
  // Between finding a process and signalling it, it may have ended and its number gone to a stranger.
  if (target.pid <= 1 || target.pid === process.pid) return false;
  if (processAt(target.pid)?.start !== target.start) return false;
  return sent(target.pid, signal);
}

/** To the members of the group that the target leads, as long as the number is still its own. */
export function signalGroup(leader: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (leader.pid <= 1 || leader.pid === process.pid) return false;
  if (processAt(leader.pid)?.start !== leader.start) return false;
  return sent(-leader.pid, signal);
}

/** For systems that do not list processes, and a leader that was not reaped: then the number can not be a stranger's. */
export function signalUnreapedGroup(leader: number, signal: NodeJS.Signals): boolean {
  return leader > 1 && leader !== process.pid && sent(-leader, signal);
}

function sent(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}
