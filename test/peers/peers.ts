import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/cli.js';

// The real programs, as `npm run peers` lays them down.

const folder = join(root, '.peers', '0.171.0');

export const realHost = join(folder, 'codex-code-mode-host');
export const realCodex = join(folder, 'codex');

/** Why tests against the real programs cannot run here; `false` when they can. */
export const skip: string | false =
  existsSync(realHost) && existsSync(realCodex) && process.platform === 'linux' && process.arch === 'x64'
    ? false
    : 'skipped: run npm run peers';
