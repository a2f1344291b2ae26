import { closeSync, openSync } from 'node:fs';

// Three socket pairs and the pipe that reports a failed exec: eight, measured; two to spare.
const needed = 10;

/**
 * Fails with EMFILE or ENFILE when a spawn would. Must be asked first: then Node gives execa a child without streams,
 * execa throws a TypeError and leaves the child behind, whose `error` event nobody can catch and which ends us.
 */
export function reserveDescriptors(): void {
  const taken: number[] = [];
  try {
    while (taken.length < needed) taken.push(openSync('/dev/null', 'r'));
  } finally {
    for (const descriptor of taken) closeSync(descriptor);
  }
}
