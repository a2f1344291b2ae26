import { CodemodeError } from '../errors.js';
import {
  type ConnectionReady,
  clientHello,
  encodeFrame,
  FrameDecoder,
  type HostMessage,
  jsonCodec,
  MAX_FRAME_BYTES,
  MAX_HELLO_BYTES,
  PROTOCOL_VERSION,
  parseHostMessage,
} from '../protocol/index.js';
import { onAbort } from '../waiting/on-abort.js';
import type { ByteSink, PeerEnd } from './bytes.js';
import { withDeadline } from './deadline.js';
import { type Conclusion, Endings } from './endings.js';
import type { Inlet } from './inlet.js';
import * as say from './messages.js';

export interface HandshakeOptions {
  /** Capabilities that this side would like. */
  readonly offer: readonly string[];
  /** Over writing the hello and reading the answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface HandshakeResult {
  readonly ready: ConnectionReady;
  /** Goes on where the hello ended; what came behind the hello is kept in the inlet. */
  readonly decoder: FrameDecoder;
}

/** Says hello and waits for the answer. Fails exactly once, for one reason; the caller ends the host then. */
export async function handshake(
  io: { inlet: Inlet; sink: ByteSink; ended: Promise<PeerEnd> },
  options: HandshakeOptions,
): Promise<HandshakeResult> {
  const decoder = new FrameDecoder(MAX_HELLO_BYTES);
  const exchange = new Exchange(io, decoder, options);
  try {
    const late = () => say.handshakeTimeout(options.timeoutMs);
    const answer = await withDeadline(exchange.answer, options.timeoutMs, late);
    decoder.limit = MAX_FRAME_BYTES;
    return { ready: accepted(answer), decoder };
  } catch (error) {
    throw error instanceof CodemodeError ? say.withData(error, { stdoutBytes: io.inlet.bytes }) : error;
  } finally {
    exchange.stop();
  }
}

class Exchange {
  readonly answer: Promise<HostMessage>;
  #resolve: (message: HostMessage) => void = () => undefined;
  #reject: (error: CodemodeError) => void = () => undefined;
  readonly #inlet: Inlet;
  readonly #endings: Endings;
  readonly #offAbort: () => void;

  constructor(
    io: { inlet: Inlet; sink: ByteSink; ended: Promise<PeerEnd> },
    decoder: FrameDecoder,
    options: HandshakeOptions,
  ) {
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#inlet = io.inlet;
    this.#endings = new Endings(io.ended, (conclusion) => this.#concluded(conclusion));
    this.#offAbort = onAbort(options.signal, () => this.#reject(say.givenUp(options.signal?.reason)));
    this.#write(io.sink, options.offer);
    this.#read(decoder);
  }

  stop(): void {
    this.#endings.stop();
    this.#offAbort();
    this.#inlet.detach();
  }

  #write(sink: ByteSink, offer: readonly string[]): void {
    for (const piece of encodeFrame(jsonCodec.encode(clientHello(offer)))) {
      sink.write(piece, (error) => {
        if (error != null) this.#endings.symptom(say.helloNotWritten(error));
      });
    }
  }

  #read(decoder: FrameDecoder): void {
    this.#inlet.attach({
      chunk: (bytes) => {
        try {
          const { body, rest } = decoder.next(bytes);
          if (body === undefined) return;
          this.#inlet.detach(rest);
          this.#resolve(parseHostMessage(jsonCodec.decode(body)));
        } catch (error) {
          this.#reject(say.unreadableHello(error));
        }
      },
      end: (error) => {
        this.#endings.outputEnded(error === undefined ? endOf(decoder) : say.helloNotRead(error));
      },
    });
  }

  #concluded({ end, symptom }: Conclusion): void {
    if (end === undefined && symptom !== undefined && symptom.code !== 'host-closed') this.#reject(symptom);
    else if (end !== undefined && symptom?.code === 'protocol-error') this.#reject(say.withStatus(symptom, end));
    else this.#reject(say.exitedInHandshake(symptom, end));
  }
}

/** What the end of the output means: nothing said, or half an answer. */
function endOf(decoder: FrameDecoder): CodemodeError {
  try {
    decoder.end();
    return say.closedStdout();
  } catch (fault) {
    return say.unreadableHello(fault);
  }
}

function accepted(answer: HostMessage): ConnectionReady {
  if (answer.type === 'connection/rejected') throw say.handshakeRejected(answer.reason);
  if (answer.type !== 'connection/ready') throw say.notAHello(answer);
  if (answer.selectedVersion !== PROTOCOL_VERSION) {
    throw say.otherVersion(answer, answer.selectedVersion, PROTOCOL_VERSION);
  }
  return answer;
}
