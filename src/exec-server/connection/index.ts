export type { Inbound, MayPass } from './inbox.js';
export type { ChannelEnd, ChannelEvents, MessageChannel } from './message-channel.js';
export type { CallOptions } from './pending-calls.js';
export { RpcConnection, type RpcConnectionOptions } from './rpc-connection.js';
export { type RequestContext, type RpcHandler, RpcViolation } from './rpc-handler.js';
