import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Message } from '../host-wire.js';
import { PENDING, statement, timed } from '../statement.js';
import { type TestedHost, tool } from '../tested-host.js';

const tools = [tool('gate'), tool('open')];

/**
 * Starts a cell that stands still at a gate, with nobody observing it. Answering delegate request 1 opens the gate; the
 * call that nobody awaits, request 2, is cancelled when the cell ends: so that we know when that is.
 */
async function atGate(host: TestedHost, before: string, after: string): Promise<void> {
  host.execute(2, `${before}; const gate = tools.gate(); tools.open(); await gate; ${after}`, { tools, yieldMs: 1 });
  await host.first(2);
  await host.asked(2);
}

/** A cell that has ended unobserved. */
async function endedUnobserved(host: TestedHost): Promise<void> {
  await atGate(host, '', 'text("b")');
  host.result(1, null);
  await host.cancelled(2);
}

const brief = ({ where, kind, texts }: Message): unknown[] => [where, kind, texts];

export const observation = [
  statement('H55', 'a wait that is over says LiveCell.Yielded; each item is delivered once', async (bench) => {
    const host = await bench.session();
    const source = 'text("a"); yield_control(); await tools.gate(); text("b"); yield_control(); text("c"); ';
    deepEqual((await host.run(2, source + PENDING, { tools })).texts, ['a']);
    deepEqual(brief(await host.wait(3, 20)), ['LiveCell', 'Yielded', []]);
    await host.sendWait(4, 60_000).taken(7);
    deepEqual((await host.result(1, null).outcome(4)).texts, ['b']);
    deepEqual((await host.wait(5, 300)).texts, ['c']);
    deepEqual((await host.wait(6, 20)).texts, []);
  }),
  statement('H56', 'output alone does not end a wait', async (bench) => {
    const host = await bench.session();
    await atGate(host, '', `text("x"); notify("printed"); ${PENDING}`);
    const ms = await timed(async () => {
      await host.sendWait(3, 400).taken(4);
      await host.result(1, null).asked(3); // the text is out, and nobody has been told
      equal(host.all('operation/response').length, 3);
      deepEqual((await host.outcome(3)).texts, ['x']);
    });
    ok(ms >= 390, `woken after ${ms} ms`);
  }),
  statement('H57', 'a result is kept until somebody takes it: then closed, then missing', async (bench) => {
    const host = await bench.session();
    await endedUnobserved(host);
    await host.staysSilent(150);
    const result = await host.wait(3, 20);
    deepEqual(brief(result), ['LiveCell', 'Result', ['b']]);
    ok(result.result_buffered_for_ns > 1e8, `kept for ${result.result_buffered_for_ns} ns`);
    ok(host.inOrder(await host.response(3), await host.closed()));
    const gone = await host.wait(4, 20);
    deepEqual([...brief(gone), gone.error_text], ['MissingCell', 'Result', [], 'exec cell 1 not found']);
  }),
  statement('H58', 'a cell that is unknown, of another session, or over is a MissingCell, no error', async (bench) => {
    const host = await bench.session();
    await host.open('s2', 2);
    await host.run(3, '1', { session: 's2' });
    await host.run(4, '1');
    await host.run(5, '1');
    let id = 6;
    for (const cellId of ['zz', '1', '3', '']) {
      for (const missing of [await host.wait(id++, 0, cellId), await host.terminate(id++, cellId)]) {
        const { where, kind, cell_id, error_text } = missing;
        deepEqual(
          [where, kind, cell_id, error_text],
          ['MissingCell', 'Result', cellId, `exec cell ${cellId} not found`],
        );
      }
    }
  }),
  statement('H59', 'a cell has one observer: a second is refused, the first is not disturbed', async (bench) => {
    const host = await bench.session();
    host.execute(2, PENDING, { yieldMs: 500 });
    await host.started(2);
    const refusal = 'exec cell 1 already has an active observer';
    equal(await host.sendWait(3, 100).refusal(3), refusal);
    equal((await host.first(2)).kind, 'Yielded');
    await host.sendWait(4, 400).taken(6);
    equal(await host.sendWait(5, 100).refusal(5), refusal);
    equal((await host.outcome(4)).kind, 'Yielded');
  }),
  statement('H60', 'terminate ends a busy cell, with its output, then closed', async (bench) => {
    const host = await bench.session();
    await atGate(host, '', 'text("u"); notify("busy"); await null; for (;;) {}');
    host.result(1, null);
    await host.asked(3);
    deepEqual(brief(await host.terminate(3)), ['LiveCell', 'Terminated', ['u']]);
    ok(host.inOrder(await host.response(3), await host.closed()));
  }),
  statement('H61', 'terminate also answers the observer with Terminated, and the same items', async (bench) => {
    const host = await bench.session();
    host.execute(2, `text("x"); notify("printed"); ${PENDING}`, { yieldMs: 60_000 });
    await host.asked(1);
    deepEqual(brief(await host.terminate(3)), ['LiveCell', 'Terminated', ['x']]);
    const first = await host.first(2);
    deepEqual([first.kind, first.texts], ['Terminated', ['x']]);
    ok(
      host.inOrder(await host.initial(2), await host.closed()) &&
        host.inOrder(await host.response(3), await host.closed()),
    );
    await host.run(4, PENDING, { yieldMs: 1 });
    await host.sendWait(5, 60_000, '2').taken(7);
    equal((await host.terminate(6, '2')).kind, 'Terminated');
    equal((await host.outcome(5)).kind, 'Terminated');
  }),
  statement('H62', 'terminate of a cell that has ended gives its natural result', async (bench) => {
    const host = await bench.session();
    await endedUnobserved(host);
    deepEqual(brief(await host.terminate(3)), ['LiveCell', 'Result', ['b']]);
  }),
  statement('H63', 'of two terminates one ends the cell, the other is refused or too late', async (bench) => {
    const host = await bench.session();
    await host.run(2, PENDING, { yieldMs: 1 });
    for (const id of [3, 4]) host.request(id, 'terminate', { sessionId: 's1', cellId: '1' });
    const said = await Promise.all(
      [3, 4].map((id) =>
        host.outcome(id).then(
          ({ where, kind }) => `${where}.${kind}`,
          (error: Error) => error.message,
        ),
      ),
    );
    ok(said.includes('LiveCell.Terminated'), said.join());
    const other = said.find((text) => text !== 'LiveCell.Terminated');
    ok(['an error: exec cell 1 is already terminating', 'MissingCell.Result'].includes(String(other)), said.join());
  }),
  statement('H64', 'yield_control() wakes an observer, goes on, and is forgotten when there is none', async (bench) => {
    const host = await bench.session();
    const source = 'text("a"); yield_control(); text("b"); yield_control(); text("c"); tools.gate()';
    const first = await host.run(2, source, { tools });
    deepEqual([first.kind, first.texts], ['Yielded', ['a']]);
    await host.cancelled(1); // it has ended, with nobody observing
    deepEqual(brief(await host.wait(3, 60_000)), ['LiveCell', 'Result', ['b', 'c']]);
  }),
  statement('H67', 'cancelling a wait is an error for it; the cell and its output stay', async (bench) => {
    const host = await bench.session();
    await atGate(host, '', `text("keep"); notify("printed"); ${PENDING}`);
    await host.sendWait(3, 60_000).taken(5);
    await host.result(1, null).asked(3);
    host.send({ type: 'operation/cancel', id: 3 });
    equal(await host.refusal(3), 'code-mode request cancelled');
    deepEqual((await host.wait(4, 20)).texts, ['keep']);
  }),
  statement('H68', 'cancelling what is over, unknown, or neither a wait nor an execute does nothing', async (bench) => {
    const host = await bench.session();
    const cancel = (id: number) => host.send({ type: 'operation/cancel', id });
    cancel(1).send({ type: 'operation/cancel', id: 777 });
    host.request(2, 'open', { sessionId: 's2' });
    cancel(2);
    host.request(3, 'shutdown', { sessionId: 's2' });
    cancel(3);
    await host.run(4, PENDING, { yieldMs: 1 });
    host.request(5, 'terminate', { sessionId: 's1', cellId: '1' });
    cancel(5);
    for (const id of [2, 3, 5]) equal((await host.response(id)).result.status, 'ok');
  }),
  statement('H69', 'cancelling an execute that has started does nothing', async (bench) => {
    const host = await bench.session();
    const ms = await timed(async () => {
      host.execute(2, PENDING, { yieldMs: 500 });
      await host.started(2);
      host.send({ type: 'operation/cancel', id: 2 });
      equal((await host.first(2)).kind, 'Yielded');
    });
    ok(ms >= 490, `answered after ${ms} ms`);
  }),
  statement(
    'H70',
    'operation/yield ends the observation of an execute, even a busy one, and of a wait',
    async (bench) => {
      const host = await bench.session({}, ['yield-observation']);
      host.send({ type: 'operation/yield', id: 999 });
      host.execute(2, 'text("x"); notify("busy"); await null; for (;;) {}', { yieldMs: 60_000 });
      await host.asked(1);
      host.send({ type: 'operation/yield', id: 2 });
      const first = await host.first(2);
      deepEqual([first.kind, first.texts], ['Yielded', ['x']]);
      host.sendWait(3, 60_000).send({ type: 'operation/yield', id: 3 });
      equal((await host.outcome(3)).kind, 'Yielded');
    },
  ),
];
