export { ExecServer, type ServedConnection } from './exec-server.js';
export type { ExecServerOptions } from './server-options.js';
