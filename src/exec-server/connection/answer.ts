import { type OutgoingMessage, sizeOf } from '../wire/encoded-result.js';
import { RpcError, rpcCodes } from '../wire/rpc-error.js';
import { encodeError, encodeResult, type RpcRequest } from '../wire/rpc-message.js';
import { largeAnswerText, textOf } from './messages.js';
import type { RequestContext, RpcHandler } from './rpc-handler.js';

/** What a handler says to a request, as a message that its client can take. Never rejects. */
export async function answerOf(
  { id, method, params }: RpcRequest,
  handler: RpcHandler,
  context: RequestContext,
): Promise<OutgoingMessage> {
  try {
    const message = encodeResult(id, await handler.request(method, params, context));
    const bytes = sizeOf(message);
    if (bytes <= context.limits.bytes) return message;
    return encodeError(id, { code: rpcCodes.internal, message: largeAnswerText(bytes, context.limits.bytes) });
  } catch (error) {
    if (error instanceof RpcError) return encodeError(id, error.toJSON());
    return encodeError(id, { code: rpcCodes.internal, message: textOf(error) });
  }
}
