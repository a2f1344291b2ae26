export { type Capability, capabilities, isCapability } from './capability.js';
export { parseClientMessage } from './client-message.js';
export { type Codec, jsonCodec } from './codec.js';
export { checkFrameLength, encodeFrame, FrameDecoder } from './frame.js';
export { answerHello, clientHello } from './hello.js';
export { parseHostMessage } from './host-message.js';
export * from './limits.js';
export type * from './message.js';
