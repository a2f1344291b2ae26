import { fstatSync, openSync } from 'node:fs';

/**
 * The binding that opens terminals leaves our ends of them open across exec, and Node has no call to change that: every
 * child would get them, and could type into the terminals of others. So each child gets nothing under their numbers.
 */
const shielded = new Map<number, number>();
let nothing: number | undefined;

/** To be called in the tick in which the descriptor came to be. */
export function shieldFromChildren(descriptor: number): void {
  nothing ??= openSync('/dev/null', 'r');
  shielded.set(descriptor, fstatSync(descriptor).rdev);
}

/** The stdio of a child, longer where something is to be kept from it. For every spawn of the exec-server. */
export function shieldedStdio<T>(own: readonly T[]): (T | number | 'ignore')[] {
  const stdio: (T | number | 'ignore')[] = [...own];
  for (const [descriptor, device] of shielded) {
    // A number that is closed, or was given to another file, has nothing to hide; Node closes its own on exec.
    if (deviceOf(descriptor) !== device) shielded.delete(descriptor);
    else if (nothing !== undefined && descriptor >= own.length) {
      while (stdio.length < descriptor) stdio.push('ignore');
      stdio[descriptor] = nothing;
    }
  }
  return stdio;
}

function deviceOf(descriptor: number): number | undefined {
  try {
    return fstatSync(descriptor).rdev;
  } catch {
    return undefined;
  }
}
