export * from './client/index.js';
export { ExecServer } from './server/exec-server.js';
export type { ExecServerOptions } from './server/server-options.js';
