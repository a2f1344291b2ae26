import { closeSync, fstatSync, readdirSync, readFileSync } from 'node:fs';

/** `O_CLOEXEC` and the access mode, in the words of Linux. */
const CLOSES_ON_EXEC = 0o2000000;
const ACCESS_MODE = 0o3;

/**
 * Closes what our parent has left open by mistake, or children get it: a pipe of which they hold an end, a secret. Node
 * keeps nothing back above descriptor 15. For a program of its own, before its first child, when it has read everything
 * that was given to it as a descriptor. Linux only.
 */
export function closeInheritedFiles(): void {
  for (const name of namesIn('/proc/self/fd')) {
    const descriptor = Number(name);
    if (descriptor <= 2 || !mayBeInherited(descriptor)) continue;
    try {
      closeSync(descriptor);
    } catch {
      // That of the listing itself is gone by now.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Everything of Node closes on exec but the logs of V8, which are files that are written to. */
function mayBeInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1];
    if (flags === undefined || (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) !== 0) return false;
    const kind = fstatSync(descriptor);
    if (kind.isFile()) return (Number.parseInt(flags, 8) & ACCESS_MODE) === 0;
    return kind.isFIFO() || kind.isSocket() || kind.isDirectory();
  } catch {
    return false;
  }
}
