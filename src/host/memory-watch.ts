import { readFileSync } from 'node:fs';

const INTERVAL_MS = 20;

interface Watched {
  readonly pid: number;
  readonly limitBytes: number;
  readonly exceeded: () => void;
}

/**
 * Looks at the resident memory of runners while they run a cell. V8's own limit counts neither array buffers nor what
 * a single large allocation takes. Linux only: elsewhere the JavaScript heap is the only thing that is limited.
 */
export class MemoryWatch {
  readonly #watched = new Map<number, Watched>();
  #timer: NodeJS.Timeout | undefined;

  add(watched: Watched): void {
    if (process.platform !== 'linux') return;
    this.#watched.set(watched.pid, watched);
    this.#timer ??= setInterval(() => this.#look(), INTERVAL_MS);
  }

  remove(pid: number): void {
    this.#watched.delete(pid);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    for (const { pid, limitBytes, exceeded } of [...this.#watched.values()]) {
      if (residentBytes(pid) <= limitBytes) continue;
      this.remove(pid);
      exceeded();
    }
  }
}

/** 0 where the system does not say. In kB there, whatever the size of a page. */
export function residentBytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
