import { closeSync, fstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';

/** `O_CLOEXEC` and the access mode, in the words of Linux. */
const CLOSES_ON_EXEC = 0o2000000;
const ACCESS_MODE = 0o3;

/**
 * What our parent has left open by mistake, or children get it: a pipe of which they hold an end, a secret. Node keeps
 * nothing back above descriptor 15. For a program of its own, to be made as the first thing it does: later there are files
 * that look the same and are not, as Node reads certificates on a thread of its own as soon as `node:tls` is loaded. Linux
 * only.
 */
export class InheritedFiles {
  readonly #files = namesIn('/proc/self/fd').flatMap((name) => {
    const descriptor = Number(name);
    const file = descriptor > 2 ? inheritable(descriptor) : undefined;
    return file === undefined ? [] : [{ descriptor, file }];
  });

  /** Before the first child, when everything has been read that was given to us as a descriptor. */
  close(): void {
    for (const { descriptor, file } of this.#files.splice(0)) {
      try {
        const now = fstatSync(descriptor);
        // A number that was closed may have been given to another file.
        if (now.dev === file.dev && now.ino === file.ino) closeSync(descriptor);
      } catch {
        // It is closed.
      }
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
function inheritable(descriptor: number): Stats | undefined {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1];
    if (flags === undefined || (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) !== 0) return undefined;
    const file = fstatSync(descriptor);
    const readOnly = (Number.parseInt(flags, 8) & ACCESS_MODE) === 0;
    return (file.isFile() && readOnly) || file.isFIFO() || file.isSocket() || file.isDirectory() ? file : undefined;
  } catch {
    // That of the listing itself is gone by now.
    return undefined;
  }
}
