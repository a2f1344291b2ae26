import { EventGauge } from './event-gauge.js';
import type { IncomingBody } from './incoming-body.js';
import { eventTooLongText, messageTooLongText } from './messages.js';
import { ServerFault } from './server-fault.js';

const limitBytes = 64 * 2 ** 20;
/** Of one event: its reader keeps something for each line, however short. */
const limitLines = 1_000_000;

/** The end of a stream of events; with a fault when it was not that of the server. */
export interface StreamEnd {
  readonly fault?: ServerFault | undefined;
  /** How long the server wants us to wait, in ms, before the stream is taken up again. */
  readonly retryMs?: number | undefined;
}

export interface BodyOptions {
  /** Many events, one after the other, rather than one message. Neither an event nor a message may be longer than 64 MiB. */
  readonly stream: boolean;
  /** Everything was read, or nothing more comes. */
  readonly onEnd: (end: StreamEnd) => void;
}

/** The bytes of a response as they are asked for; nothing is read ahead. */
export function responseBody(source: IncomingBody, { stream, onEnd }: BodyOptions): ReadableStream<Uint8Array> {
  const chunks = source.chunks();
  const gauge = new EventGauge(limitBytes, limitLines);
  let bytes = 0;
  const check = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (stream && !gauge.add(chunk)) throw new ServerFault(eventTooLongText(limitBytes, limitLines));
    if (!stream && bytes > limitBytes) throw new ServerFault(messageTooLongText(limitBytes));
  };
  const ended = (error?: unknown): void => {
    // After the reader's own microtasks, in which the last message is handed on.
    const fault = error instanceof ServerFault ? error : undefined;
    setTimeout(() => onEnd({ fault, retryMs: gauge.retryMs }), 0);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await chunks.next();
          if (done === true) {
            controller.close();
            ended();
            return;
          }
          check(value);
          controller.enqueue(value);
        } catch (error) {
          controller.error(error);
          ended(error);
          source.leave();
        }
      },
      // Not by the iterator: one that waits, or has not begun, would not let go.
      cancel: () => source.leave(),
    },
    { highWaterMark: 0 },
  );
}
