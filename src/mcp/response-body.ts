import { messageTooLongText } from './messages.js';
import { ServerFault } from './server-fault.js';

const limitBytes = 64 * 2 ** 20;

export interface BodyOptions {
  /** Many messages, one after the other, rather than a single one, which may not be longer than 64 MiB. */
  readonly stream: boolean;
  /** Everything was read, or nothing more comes. `resumable`: an event had an id, so that the stream can be taken up again. */
  readonly onEnd: (end: { readonly resumable: boolean }) => void;
}

/** The bytes of a response as they are asked for; nothing is read ahead. */
export function responseBody(
  source: AsyncIterator<Buffer>,
  { stream, onEnd }: BodyOptions,
): ReadableStream<Uint8Array> {
  let bytes = 0;
  let resumable = false;
  const ended = (): void => {
    // After the reader's own microtasks, in which the last message is handed on.
    setTimeout(() => onEnd({ resumable }), 0);
  };
  const leave = async (): Promise<void> => {
    try {
      await source.return?.();
    } catch {
      // It is being thrown away.
    }
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await source.next();
          if (done === true) {
            controller.close();
            ended();
            return;
          }
          bytes += value.length;
          if (!stream && bytes > limitBytes) throw new ServerFault(messageTooLongText(limitBytes));
          resumable ||= stream && hasEventId(value);
          controller.enqueue(value);
        } catch (error) {
          controller.error(error);
          ended();
          await leave();
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}

/** Servers write the id of an event before its data, at the beginning of a chunk or of a line. */
const hasEventId = (chunk: Buffer): boolean => /(^|[\r\n])id: ?[^\r\n]/.test(chunk.toString('latin1', 0, 4_096));
