export { ExecServer, type ExecServerOptions, type ServedConnection } from './exec-server.js';
export { endOfFileWork } from './file-work.js';
export { closeInheritedFiles } from './inherited-files.js';
