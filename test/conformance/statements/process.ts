import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { openRequest, PENDING, patience, statement, timed } from '../statement.js';
import { tool } from '../tested-host.js';

export const processLife = [
  statement('H97', 'end of input while cells wait, loop or call: exit 0 within a second', async (bench) => {
    for (const source of [PENDING, 'notify("busy"); await null; for (;;) {}', 'await tools.t()']) {
      const host = await bench.session();
      host.execute(2, source, { yieldMs: 60_000, tools: [tool('t')] });
      await host.started(2);
      if (source !== PENDING) await host.asked(1);
      const ms = await timed(() => bench.endsAs(host.end(), 0));
      ok(ms < patience(1_000), `only after ${ms} ms`);
    }
  }),
  statement('H98', 'SIGTERM, SIGINT and SIGHUP end it by the signal', async (bench) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const host = await bench.session();
      host.execute(2, PENDING, { yieldMs: 60_000 });
      await host.started(2);
      host.signal(signal);
      deepEqual(await host.exit(), { code: null, signal });
    }
  }),
  statement(
    'H99',
    'when nobody reads any more: exit 1 with a reason, at the latest with the requests that follow',
    async (bench) => {
      const host = await bench.session();
      host.stopReading();
      // The reference sees that a write has failed only when something comes after it.
      for (let id = 5; id < 1_000 && !host.hasExited; id++) {
        host.send(openRequest(`z${id}`, id));
        await host.exit(20).catch(() => undefined);
      }
      equal((await host.exit()).code, 1);
      notEqual(host.stderr, '');
    },
  ),
];
