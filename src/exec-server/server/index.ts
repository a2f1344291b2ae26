export { ExecServer, type ExecServerOptions, type ServedConnection } from './exec-server.js';
