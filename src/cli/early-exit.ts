import { writeSync } from 'node:fs';
import { exitCodes } from './exit-code.js';
import { earlyExitText, errorLine } from './messages.js';

/** A tool that calls `process.exit` must not make a run look as if it had completed. The result says that the run is over. */
export function watchForEarlyExit(json: boolean): () => void {
  let over = false;
  process.on('exit', (code) => {
    // A signal has been reported already.
    if (over || code >= 128) return;
    if (code === exitCodes.completed) process.exitCode = exitCodes.failed;
    const event = { type: 'error', code: 'uncaught', message: earlyExitText, data: {} };
    try {
      if (json) writeSync(1, `${JSON.stringify(event)}\n`);
      else writeSync(2, `${errorLine(earlyExitText)}\n`);
    } catch {
      // Nobody is left to hear it.
    }
  });
  return () => {
    over = true;
  };
}
