export { ExecServer, type ExecServerOptions, type ServedConnection } from './exec-server.js';
export { closeInheritedFiles } from './inherited-files.js';
