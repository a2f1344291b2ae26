import { existsSync, readFileSync } from 'node:fs';
import { jsonCodec } from '../../src/protocol/codec.js';
import { FrameDecoder } from '../../src/protocol/frame.js';
import { msgpackCodec } from '../../src/protocol/msgpack-codec.js';

export interface LoggedFrame {
  readonly from: 'client' | 'host';
  readonly body: 'json' | 'msgpack';
  readonly message: { readonly type: string; readonly [field: string]: unknown };
}

const OPENING_BRACE = 0x7b;

/** The frames that tap.mjs has noted so far, in the order in which they were complete. */
export function readFrameLog(file: string): LoggedFrame[] {
  if (!existsSync(file)) return [];
  const decoders = { client: new FrameDecoder(), host: new FrameDecoder() };
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1) // a line that is being written does not count yet
    .map((line) => JSON.parse(line) as { from: 'client' | 'host'; bytes: string })
    .flatMap(({ from, bytes }) =>
      [...decoders[from].push(Buffer.from(bytes, 'base64'))].map((frame): LoggedFrame => {
        // No msgpack map begins like a JSON object: 0x7b is a small number there.
        const codec = frame[0] === OPENING_BRACE ? jsonCodec : msgpackCodec;
        return { from, body: codec.name, message: codec.decode(frame) as LoggedFrame['message'] };
      }),
    );
}

const TIMES = ['code_mode_host_duration_ns', 'result_buffered_for_ns'];

/** With its keys in order, so that equal messages are equal texts. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What one side has said, in its order, without what differs from run to run. */
export const saidBy = (from: LoggedFrame['from'], frames: readonly LoggedFrame[]): unknown[] =>
  frames
    .filter((frame) => frame.from === from)
    .map(({ message }): unknown =>
      JSON.parse(JSON.stringify(message, (key, value) => (TIMES.includes(key) ? 0 : sorted(value)))),
    );
