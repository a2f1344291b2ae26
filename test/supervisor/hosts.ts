import type { TestContext } from 'node:test';
import type { Delegate, HostEvent, HostOptions } from '../../src/supervisor/host.js';
import { Host } from '../../src/supervisor/host.js';
import { groupIsGone } from '../support/processes.js';

/** A small honest host. A test appends what it wants to be different; `on` handles each message. */
const honest = `
const send = (...messages) => {
  for (const message of messages) {
    const body = Buffer.from(JSON.stringify(message));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(body.length);
    process.stdout.write(Buffer.concat([head, body]));
  }
};
const ok = (id, value) => send({ type: 'operation/response', id, result: { status: 'ok', value } });
const result = (cell_id, text) => ({ Result: { cell_id, content_items: [{ type: 'input_text', text }], code_mode_host_duration_ns: 1, error_text: null, result_buffered_for_ns: 0 } });
const yielded = (cell_id) => ({ Yielded: { cell_id, content_items: [], code_mode_host_duration_ns: 1 } });
let granted = [];
let cells = 0;
const normal = (message) => {
  if (message.type === 'connection/hello') return send({ type: 'connection/ready', selectedVersion: 1, capabilities: granted });
  if (message.type !== 'operation/request') return;
  const { id, request } = message;
  const { sessionId } = request;
  if (request.method === 'session/open') return ok(id, { type: 'session/ready', sessionId });
  if (request.method === 'session/shutdown') return ok(id, { type: 'session/closed', sessionId });
  if (request.method === 'session/execute') {
    const cell = String(++cells);
    ok(id, { type: 'execution/started', cellId: cell });
    if (request.request.source === 'forever') return send({ type: 'execute/initialResponse', id, result: { status: 'ok', value: yielded(cell) } });
    send({ type: 'execute/initialResponse', id, result: { status: 'ok', value: result(cell, request.request.source) } }, { type: 'cell/closed', sessionId, cellId: cell });
  }
};
let on = normal;
let held = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  held = Buffer.concat([held, chunk]);
  while (held.length >= 4 && held.length >= 4 + held.readUInt32LE(0)) {
    const end = 4 + held.readUInt32LE(0);
    const message = JSON.parse(held.subarray(4, end));
    held = held.subarray(end);
    on(message);
  }
});
process.stdin.on('end', () => process.exit(0));
setTimeout(() => process.exit(99), 60_000); // its own watchdog
`;

export interface Started {
  readonly host: Host;
  readonly events: HostEvent[];
  pids(): number[];
}

/** A supervised host that is closed after the test, which fails if any process of it is left. */
export function supervise(t: TestContext, options: HostOptions): Started {
  const events: HostEvent[] = [];
  const host = new Host({ ...options, onEvent: (event) => events.push(event) });
  const pids = () => events.flatMap((event) => (event.type === 'spawned' ? [event.pid] : []));
  t.after(async () => {
    await host.close();
    for (const pid of pids()) await groupIsGone(pid);
  });
  return { host, events, pids };
}

export const node = (script: string): Pick<HostOptions, 'program' | 'args'> => ({
  program: process.execPath,
  args: ['-e', script],
});

export const shell = (script: string): Pick<HostOptions, 'program' | 'args'> => ({
  program: '/bin/sh',
  args: ['-c', script],
});

/** The honest host, but for `script`. */
export const but = (script = '') => node(honest + script);

export const silent: Delegate = { invokeTool: () => null };
