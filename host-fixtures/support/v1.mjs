// What the fixtures share: frames out, frames in, the answers of a host that behaves, and an end of their own.
import { encodeFrame, FrameDecoder, jsonCodec } from '../../dist/protocol.js';

/** A fixture ends itself, so that a test that fails leaves nothing behind for long; 99 is nobody's exit code. */
setTimeout(() => process.exit(99), 20_000);

/** One frame, or several, as the bytes of one write. */
export const frames = (...messages) =>
  Buffer.concat(messages.flatMap((message) => encodeFrame(jsonCodec.encode(message))));

/** Resolves when the pipe has taken it. */
export const write = (bytes) => new Promise((resolve) => process.stdout.write(bytes, resolve));
export const send = (...messages) => write(frames(...messages));

export const ready = (capabilities = [], selectedVersion = 1) => ({
  type: 'connection/ready',
  selectedVersion,
  capabilities,
});
export const answer = ({ id }, value) => ({ type: 'operation/response', id, result: { status: 'ok', value } });
export const refuse = ({ id }, message) => ({ type: 'operation/response', id, result: { status: 'error', message } });
export const opened = (message) => answer(message, { type: 'session/ready', sessionId: message.request.sessionId });
export const closed = (message) => answer(message, { type: 'session/closed', sessionId: message.request.sessionId });
export const started = (message, cellId = '1') => answer(message, { type: 'execution/started', cellId });

const progress = (cell_id, texts) => ({
  cell_id,
  content_items: texts.map((text) => ({ type: 'input_text', text })),
  code_mode_host_duration_ns: 1_000_000,
});
export const result = (text, cellId = '1') => ({ Result: { ...progress(cellId, [text]), error_text: null } });
export const yielded = (cellId = '1') => ({ Yielded: progress(cellId, []) });
export const terminated = (cellId = '1') => ({ Terminated: progress(cellId, []) });
export const initial = ({ id }, value) => ({ type: 'execute/initialResponse', id, result: { status: 'ok', value } });
export const observed = (message, value) => answer(message, { type: 'wait/completed', outcome: { LiveCell: value } });
export const cellClosed = ({ request }, cellId = '1') => ({
  type: 'cell/closed',
  sessionId: request.sessionId,
  cellId,
});
export const toolCall = ({ request }, cellId = '1', id = 1) => {
  const tool_name = { name: 'echo', namespace: null };
  const invocation = { cell_id: cellId, runtime_tool_call_id: 'call-1', tool_name, tool_kind: 'function', input: {} };
  return { type: 'delegate/request', id, sessionId: request.sessionId, request: { type: 'tool/invoke', invocation } };
};
export const finished = (message, text = 'done', cellId = '1') => [
  initial(message, result(text, cellId)),
  cellClosed(message, cellId),
];

const standard = {
  'connection/hello': () => send(ready()),
  'session/open': (message) => send(opened(message)),
  'session/execute': (message) => send(started(message), ...finished(message)),
  'session/terminate': (message) => send(observed(message, terminated(message.request.cellId)), cellClosed(message)),
  'session/shutdown': (message) => send(closed(message)),
};

/** Answers each message as a host does that behaves, but for those given by their method or type. */
export function serve(deviations = {}) {
  const answers = { ...standard, ...deviations };
  const decoder = new FrameDecoder();
  process.stdin.on('data', (chunk) => {
    for (const body of decoder.push(chunk)) {
      const message = jsonCodec.decode(body);
      answers[message.request?.method ?? message.type]?.(message);
    }
  });
  endWithInput();
}

export function endWithInput() {
  process.stdin.on('end', () => process.exit(0)).resume();
}
