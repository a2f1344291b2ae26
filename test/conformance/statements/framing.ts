import { deepEqual, equal, ok } from 'node:assert/strict';
import { frame, type Json, MAX_FRAME } from '../host-wire.js';
import { hello, openRequest, PENDING, raw, slow, statement } from '../statement.js';
import { type TestedHost, tool } from '../tested-host.js';

const shutdownOfNone = (id: number): Json => ({
  type: 'operation/request',
  id,
  request: { method: 'session/shutdown', sessionId: 'none' },
});

const operation = (method: string, more: Json): Json => ({
  type: 'operation/request',
  id: 9,
  request: { method: `session/${method}`, sessionId: 's1', ...more },
});
const cell = { tool_call_id: 'c', enabled_tools: [], source: '1', yield_time_ms: 1, max_output_tokens: null };
const execute = (more: Json): Json => operation('execute', { request: { ...cell, ...more } });
const waiting = { cell_id: '1', yield_time_ms: 1 };
const answer = (result: Json, more: Json = {}): Json => ({ type: 'delegate/response', id: 9, result, ...more });
const value = (type: string, more: Json): Json => ({ status: 'ok', value: { type, ...more } });
const x = { unknown: 1 };

const withUnknownField = [
  { ...openRequest('z', 9), ...x },
  operation('open', { sessionId: 'z', ...x }),
  operation('open', { sessionId: 'z', cellExecutionLimits: x }),
  operation('execute', { request: cell, ...x }),
  operation('execute', { request: cell, cellId: '1' }),
  execute(x),
  execute({ enabled_tools: [tool('t', x)] }),
  execute({ enabled_tools: [tool('t', { tool_name: { name: 't', namespace: null, ...x } })] }),
  operation('wait', { request: waiting, ...x }),
  operation('wait', { request: { ...waiting, ...x } }),
  operation('terminate', { cellId: '1', ...x }),
  operation('shutdown', x),
  { type: 'operation/cancel', id: 9, ...x },
  { type: 'operation/yield', id: 9, ...x },
  answer({ status: 'error', message: 'm' }, x),
  answer({ status: 'error', message: 'm', ...x }),
  answer(value('tool/result', { result: 1, ...x })),
];

const withMissingField = [
  { type: 'operation/request', id: 9 },
  { type: 'operation/request', request: { method: 'session/shutdown', sessionId: 's1' } },
  { type: 'operation/cancel' },
  operation('execute', { request: { tool_call_id: 'c', source: '1' } }),
  operation('wait', { request: { cell_id: '1' } }),
  answer(value('tool/result', {})),
];

/** Opens a session by JSON text, for ids that JavaScript cannot hold. */
const openAs = (id: string, session: string): string =>
  `{"type":"operation/request","id":${id},"request":{"method":"session/open","sessionId":"${session}"}}`;

async function resultOfDepth(host: TestedHost, depth: number): Promise<void> {
  host.execute(2, 'await tools.t({}); text("ok")', { tools: [tool('t')] });
  await host.asked(1);
  const nested = '['.repeat(depth) + ']'.repeat(depth);
  raw(`{"type":"delegate/response","id":1,"result":{"status":"ok","value":{"type":"tool/result","result":${nested}}}}`)(
    host,
  );
}

export const framing = [
  statement('H01', 'end of input before any byte: exit 0, and nothing is said', async (bench) => {
    const host = bench.start().end();
    await bench.endsAs(host, 0);
    deepEqual([host.messages, host.stderr], [[], '']);
  }),
  statement('H02', 'end of input inside the first header: exit 1, and no frame', async (bench) => {
    const host = bench
      .start()
      .write(Buffer.from([5, 0]))
      .end();
    await bench.endsAs(host, 1);
    deepEqual(host.messages, []);
  }),
  statement('H03', 'end of input inside the first body: exit 1', async (bench) => {
    await bench.endsAs(
      bench
        .start()
        .write(Buffer.from([5, 0, 0, 0, 0x7b]))
        .end(),
      1,
    );
  }),
  statement('H04', 'end of input between frames, after the handshake: exit 0', async (bench) => {
    await bench.endsAs((await bench.greet()).end(), 0);
  }),
  statement('H05', 'end of input inside a header or a body, after the handshake: exit 1', async (bench) => {
    for (const bytes of [[5], [5, 0, 0, 0, 0x7b]]) {
      const host = await bench.session();
      await bench.endsAs(host.write(Buffer.from(bytes)).end(), 1);
    }
  }),
  statement('H06', 'a frame of no bytes is fatal', (bench) => bench.fatal(raw(''))),
  statement('H07', 'a length above 67,108,864 is fatal before the body comes', (bench) =>
    bench.fatal((host) => {
      const head = Buffer.alloc(4);
      head.writeUInt32LE(MAX_FRAME + 1);
      host.write(head);
    }),
  ),
  statement('H08', 'a frame of exactly 67,108,864 bytes is taken', async (bench) => {
    const host = await bench.session();
    const text = (padding: string) =>
      JSON.stringify(execute({ source: `text("ok")//${padding}`, yield_time_ms: 60_000 }));
    host.write(frame(text('x'.repeat(MAX_FRAME - text('').length))));
    deepEqual((await host.first(9)).texts, ['ok']);
  }),
  statement('H09', 'a body that is no JSON is fatal', (bench) => bench.fatal(raw('{oops'))),
  statement('H10', 'more after the value, a byte-order mark, or broken UTF-8 is fatal', (bench) =>
    bench.fatal(raw(`${openAs('9', 'z')} x`), raw('\ufeff{}'), (host) =>
      host.write(frame(Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xff]), Buffer.from('"}')]))),
    ),
  ),
  statement('H11', 'white space around the value, and keys in any order, are fine', async (bench) => {
    const host = await bench.greet();
    raw('\n {"request":{"sessionId":"a","method":"session/open"},"id":4,"type":"operation/request"} \n')(host);
    equal((await host.response(4)).result.status, 'ok');
  }),
  statement('H12', 'a message of unknown type is fatal', (bench) => bench.fatal({ type: 'bogus' })),
  statement('H13', 'an unknown field in any object is fatal', (bench) => bench.fatal(...withUnknownField)),
  statement('H14', 'a missing field is fatal', (bench) => bench.fatal(...withMissingField)),
  statement('H15', 'a key that an envelope holds twice is fatal', (bench) =>
    bench.fatal(raw('{"type":"operation/request","id":8,"id":9,"request":{"method":"session/open","sessionId":"z"}}')),
  ),
  statement('H16', 'frames may come byte by byte, or many in one piece', async (bench) => {
    const host = await bench.greet();
    for (const byte of frame(openRequest('a', 2))) {
      host.write(Buffer.from([byte]));
      await new Promise(setImmediate); // so that it becomes a write of its own
    }
    equal((await host.response(2)).result.status, 'ok');
    host.send(openRequest('b', 3), openRequest('c', 4));
    for (const id of [3, 4]) equal((await host.response(id)).result.status, 'ok');
  }),
  statement('H17', 'request ids are signed 64-bit integers, and come back digit by digit', async (bench) => {
    const host = await bench.greet();
    for (const [index, id] of ['-7', '0', '9223372036854775807', '-9223372036854775808'].entries()) {
      raw(openAs(id, `s${index}`))(host);
      await host.when(`id ${id}`, () => host.texts.some((text) => text.includes(`"id":${id},`)));
    }
  }),
  statement('H18', 'an id that is a string, a fraction, or out of range is fatal', (bench) =>
    bench.fatal(...['"1"', '1.5', '1.0', '9223372036854775808'].map((id) => raw(openAs(id, 'z')))),
  ),
  statement('H19', 'a lone surrogate in a frame is fatal', (bench) => bench.fatal(openRequest('\ud800', 9))),
  statement('H20', 'a tool result may be nested 124 deep; 125 is fatal', async (bench) => {
    const host = await bench.session();
    await resultOfDepth(host, 124);
    deepEqual((await host.first(2)).texts, ['ok']);
    const other = await bench.session();
    await resultOfDepth(other, 125);
    await bench.endsAs(other, 1);
  }),
];

export const requestIds = [
  statement('H31', 'a second hello is fatal', (bench) => bench.fatal(hello())),
  statement('H40', 'a request id that was used, or is in use, is fatal', async (bench) => {
    await bench.fatal(openRequest('z', 1));
    const host = await bench.session();
    host.execute(2, PENDING, { yieldMs: 60_000 });
    await host.started(2);
    await bench.endsAs(host.send(openRequest('z', 2)), 1);
  }),
  slow('H41', 'an id may be used again when 4,096 later requests are finished, not 4,095', async (bench) => {
    for (const later of [4_095, 4_096]) {
      const host = await bench.session();
      for (let id = 1_000; id < 1_000 + later; id++) {
        host.send(shutdownOfNone(id));
        if (id % 64 === 0) await host.response(id);
      }
      await host.response(999 + later);
      ok(host.all('operation/response').length === later + 1);
      host.send(shutdownOfNone(1));
      if (later === 4_095) await bench.endsAs(host, 1);
      else await host.when('a second answer', () => host.texts.filter((text) => text.includes('"id":1,')).length === 2);
    }
  }),
];
