import { CodemodeError } from '../../errors.js';
import type { MessageChannel } from '../connection/message-channel.js';
import { RpcConnection } from '../connection/rpc-connection.js';
import { MAX_ANSWER_BYTES, MAX_ANSWER_VALUES } from '../wire/limits.js';
import { notifications } from '../wire/method.js';
import { RpcError, rpcCodes } from '../wire/rpc-error.js';
import { initializeResult } from '../wire/session.js';
import { initializeTimedOut, notYetImplemented, strangeAnswer } from './messages.js';

export interface LinkEvents {
  notification(method: string, params: unknown): void;
  /** Exactly once, also when the handshake failed. */
  lost(reason: CodemodeError): void;
}

export interface HandshakeOptions {
  readonly clientName: string;
  readonly initializeTimeoutMs: number;
  readonly resumeSessionId?: string | undefined;
  readonly authToken?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A connection on which the handshake is done. */
export interface Link {
  readonly connection: RpcConnection;
  /** A server of the first generation has none. */
  readonly sessionId: string | undefined;
}

/** Introduces this client. Whatever goes wrong, the channel is closed and the error is the first reason. */
export async function openLink(channel: MessageChannel, events: LinkEvents, options: HandshakeOptions): Promise<Link> {
  let reason: CodemodeError | undefined;
  const handler = {
    request: (method: string) => Promise.reject(new RpcError(rpcCodes.methodNotFound, notYetImplemented(method))),
    notification: (method: string, params: unknown) => events.notification(method, params),
    closed: (why: CodemodeError | undefined) => {
      reason = why;
      if (why !== undefined) events.lost(why);
    },
  };
  const connection = new RpcConnection(channel, () => handler, { role: 'client' });
  try {
    return await introduce(connection, options);
  } catch (error) {
    await connection.close();
    // A connection that broke meanwhile explains more than the call that broke with it, unless that was refused.
    throw reason !== undefined && reason.code !== 'connection-closed' ? reason.copy() : error;
  }
}

async function introduce(connection: RpcConnection, options: HandshakeOptions): Promise<Link> {
  const { clientName, resumeSessionId, authToken, initializeTimeoutMs, signal } = options;
  const params = {
    clientName,
    maxMessageBytes: MAX_ANSWER_BYTES,
    maxMessageValues: MAX_ANSWER_VALUES,
    ...(resumeSessionId === undefined ? {} : { resumeSessionId }),
    ...(authToken === undefined ? {} : { authToken }),
  };
  const answer = await connection
    .request('initialize', params, { timeoutMs: initializeTimeoutMs, signal })
    .catch((error: unknown) => {
      const late = error instanceof CodemodeError && error.code === 'operation-timeout';
      throw late ? initializeTimedOut(initializeTimeoutMs, error) : error;
    });
  const { sessionId } = read(answer);
  await connection.notify(notifications.initialized, {});
  return { connection, sessionId: sessionId ?? undefined };
}

function read(answer: unknown) {
  try {
    return initializeResult(answer, '');
  } catch (error) {
    throw strangeAnswer('initialize', error);
  }
}
