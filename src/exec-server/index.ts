export * from './client/index.js';
export { ExecServer, type ExecServerOptions } from './server/exec-server.js';
