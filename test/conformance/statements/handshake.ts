import { deepEqual, equal } from 'node:assert/strict';
import { CAPABILITIES, hello, openRequest, slow, statement } from '../statement.js';

const rejected = (reason: object): object => ({ type: 'connection/rejected', reason });

export const handshake = [
  statement('H21', 'a minimal hello is answered by version 1 and no capability, nothing else', async (bench) => {
    const answer = await bench.start().hello();
    deepEqual(answer, { type: 'connection/ready', selectedVersion: 1, capabilities: [] });
  }),
  statement('H22', 'version 1 is chosen wherever it stands in the list', async (bench) => {
    for (const versions of [
      [2, 1],
      [1, 4_294_967_295],
    ]) {
      equal((await bench.start().hello({ versions })).selectedVersion, 1);
    }
  }),
  statement('H23', 'no common version is rejected, then exit 0', async (bench) => {
    const host = bench.start();
    const answer = await host.hello({ versions: [2] });
    deepEqual(answer, rejected({ type: 'noCompatibleVersion', supportedVersions: [1] }));
    await bench.endsAs(host, 0);
  }),
  statement(
    'H24',
    'an unknown required capability is rejected, the first in byte order, then exit 0',
    async (bench) => {
      const host = bench.start();
      const answer = await host.hello({ required: ['zzz', 'aaa'] });
      deepEqual(answer, rejected({ type: 'missingRequiredCapability', capability: 'aaa' }));
      await bench.endsAs(host, 0);
    },
  ),
  statement('H25', 'the version is looked at before the capabilities', async (bench) => {
    const answer = await bench.start().hello({ versions: [9], required: ['zzz'] });
    equal(answer.reason.type, 'noCompatibleVersion');
  }),
  statement('H26', 'another known message in the place of hello is rejected, then exit 0', async (bench) => {
    const failure = { type: 'delegate/response', id: 1, result: { status: 'error', message: 'm' } };
    for (const message of [openRequest('s1', 1), { type: 'operation/cancel', id: 1 }, failure]) {
      const host = bench.start().send(message);
      const answer = await host.heard('a rejection', () => true);
      deepEqual(answer, rejected({ type: 'invalidHello', message: 'first message must be connection/hello' }));
      await bench.endsAs(host, 0);
    }
  }),
  statement('H27', 'a hello with bad versions, or without a list, or with one field more: exit 1, no answer', (bench) =>
    bench.fatalFirst(
      ...[[], [1, 1], [0, 1], [4_294_967_296], ['1']].map((supportedVersions) => hello({ supportedVersions })),
      hello({ optionalCapabilities: undefined }),
      hello({ unknown: 1 }),
    ),
  ),
  statement('H28', 'a capability in both lists, twice in one, blank, or no string: exit 1, no answer', (bench) =>
    bench.fatalFirst(
      hello({ requiredCapabilities: ['x'], optionalCapabilities: ['x'] }),
      ...[['x', 'x'], [''], [' '], [1]].map((optionalCapabilities) => hello({ optionalCapabilities })),
    ),
  ),
  statement('H29', 'unknown optional capabilities are ignored, whatever they look like', async (bench) => {
    const answer = await bench.start().hello({ optional: ['Ünï/…\u0000', 'a'.repeat(100_000)] });
    deepEqual(answer.capabilities, []);
  }),
  statement('H30', 'known capabilities come back in byte order, whether required or optional', async (bench) => {
    const offered = [...CAPABILITIES].reverse();
    for (const offer of [{ optional: offered }, { required: offered }]) {
      deepEqual((await bench.start().hello(offer)).capabilities, CAPABILITIES);
    }
  }),
  statement('H32', 'requests may follow hello in the same write', async (bench) => {
    const host = bench.start().send(hello(), openRequest('s1', 1));
    equal((await host.response(1)).result.status, 'ok');
  }),
  slow('H33', 'a host waits for hello as long as it takes', (bench) => bench.start().staysSilent(5_000)),
];
