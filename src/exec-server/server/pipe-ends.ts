import { closeSync, constants, openSync, unlinkSync } from 'node:fs';

/** One end for us, which never blocks, and one for the child, which does. */
export interface Pipe {
  readonly ours: number;
  readonly theirs: number;
}

/** A pipe that the child writes to. Neither open waits, as the other end is there. */
export function openOutput(name: string): Pipe {
  const ours = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { ours, theirs: openSync(name, constants.O_WRONLY) };
  } catch (error) {
    closeSync(ours);
    throw error;
  } finally {
    unlinkSync(name);
  }
}

/** A pipe that the child reads from. */
export function openInput(name: string): Pipe {
  // Opening for writing only fails without a reader, opening for reading only waits for a writer.
  const held = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const ours = openSync(name, constants.O_WRONLY | constants.O_NONBLOCK);
    try {
      return { ours, theirs: openSync(name, constants.O_RDONLY) };
    } catch (error) {
      closeSync(ours);
      throw error;
    }
  } finally {
    closeSync(held);
    unlinkSync(name);
  }
}
