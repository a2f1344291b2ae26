import type { Statement } from './statement.js';
import { delegates } from './statements/delegates.js';
import { execute } from './statements/execute.js';
import { framing, requestIds } from './statements/framing.js';
import { handshake } from './statements/handshake.js';
import { observation } from './statements/observation.js';
import { output } from './statements/output.js';
import { processLife } from './statements/process.js';
import { fieldRules, sessions } from './statements/sessions.js';

const number = ({ id }: Statement): number => Number(id.slice(1));

/** What a V1 host has to be like, in 101 statements. */
export const statements: readonly Statement[] = [
  ...framing,
  ...requestIds,
  ...handshake,
  ...sessions,
  ...fieldRules,
  ...execute,
  ...observation,
  ...delegates,
  ...output,
  ...processLife,
].sort((one, other) => number(one) - number(other));
