import { writeSync } from 'node:fs';

const STDOUT = 1;

/**
 * Writes one frame to the host before it returns: a cell that goes on to spin has been heard. stdout is a blocking
 * descriptor here, so a host that does not read holds the cell back instead of filling memory.
 */
export function sendFrame(kind: number, payload: string): void {
  const length = Buffer.byteLength(payload);
  const frame = Buffer.allocUnsafe(5 + length);
  frame.writeUInt32LE(1 + length, 0);
  frame[4] = kind;
  frame.write(payload, 5, 'utf8');
  for (let at = 0; at < frame.length; ) at += write(frame, at);
}

function write(frame: Buffer, at: number): number {
  for (;;) {
    try {
      return writeSync(STDOUT, frame, at);
    } catch (error) {
      // Somebody else made the descriptor non-blocking: the pipe is full, try again.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
  }
}
