import type { ErrorData } from '../errors.js';
import { type Codec, jsonCodec } from '../protocol/index.js';
import type { ByteSink, ByteSource, PeerEnd } from './bytes.js';
import { Connection } from './connection.js';
import { handshake } from './handshake.js';
import { Inlet } from './inlet.js';
import { defaultRequestLimits, type RequestLimits } from './request-limits.js';

export interface ConnectOptions {
  readonly source: ByteSource;
  readonly sink: ByteSink;
  /** Resolves when the peer is gone, with what is known about it. Never, for a peer that cannot be watched. */
  readonly ended: Promise<PeerEnd>;
  /** Capabilities that this side would like. */
  readonly offer: readonly string[];
  readonly handshakeTimeoutMs: number;
  readonly limits?: Partial<RequestLimits>;
  readonly signal?: AbortSignal | undefined;
  readonly facts?: () => ErrorData;
}

export interface Connected {
  readonly connection: Connection;
  readonly version: number;
}

const MSGPACK_CAPABILITY = 'msgpack-frames-v1';

/**
 * Shakes hands over two streams. Call it in the tick in which the streams came to be: it listens before it returns.
 * When it fails, the streams are the caller's to end.
 */
export async function connect(options: ConnectOptions): Promise<Connected> {
  const { source, sink, ended, offer } = options;
  const inlet = new Inlet(source);
  sink.on('error', ignore); // a write that fails is reported by the write; unheard, the event would end our process
  const { ready, decoder } = await handshake(
    { inlet, sink, ended },
    { offer, timeoutMs: options.handshakeTimeoutMs, signal: options.signal },
  );
  const packed = ready.capabilities.includes(MSGPACK_CAPABILITY) && offer.includes(MSGPACK_CAPABILITY);
  const connection = new Connection({
    inlet,
    decoder,
    sink,
    ended,
    codec: packed ? await loadMsgpack() : jsonCodec,
    capabilities: ready.capabilities,
    limits: { ...defaultRequestLimits, ...options.limits },
    facts: options.facts,
  });
  return { connection, version: ready.selectedVersion };
}

const ignore = () => undefined;

/** Loaded when a host grants it: most hosts do not. */
async function loadMsgpack(): Promise<Codec> {
  const { msgpackCodec } = await import('../protocol/msgpack-codec.js');
  return msgpackCodec;
}
