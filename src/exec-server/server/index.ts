export { ExecServer, type ServedConnection } from './exec-server.js';
export { shuttingDownText } from './messages.js';
export type { ExecServerOptions } from './server-options.js';
