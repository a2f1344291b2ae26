import type { Session } from '../supervisor/host.js';

/** What it takes to serve `exec` and `wait`; a fake session will do. Without `yieldNow` nobody is answered early. */
export type ContractSession = Pick<Session, 'execute' | 'wait' | 'terminate'> &
  Partial<Pick<Session, 'yieldNow' | 'shutdown'>>;
