import { test } from 'node:test';
import { CliRun } from '../../support/cli.js';
import { eventually } from '../../support/processes.js';
import { handshake, start } from '../hostile-scene.js';
import { inheriting, killSleepers, sleepers, uniqueSeconds } from './trees.js';

const linux = process.platform === 'linux' ? {} : { skip: 'needs /proc' };

const ways: Readonly<Record<string, object>> = {
  'on pipes, with an environment of its own': {},
  'on pipes, with a mark': inheriting,
  'on a terminal, with an environment of its own': { tty: true },
  'on a terminal, with a mark': { ...inheriting, tty: true },
};

for (const [how, more] of Object.entries(ways)) {
  test(`a first child that kills the server before it is known does not outlive it: ${how}`, linux, async (t) => {
    const seconds = uniqueSeconds();
    t.after(() => killSleepers(seconds));
    const run = new CliRun(t, ['exec-server', '--listen', 'stdio'], { openStdin: true });
    const script = 'trap "" HUP; kill -KILL "$PPID"; exec sleep "$0"';
    const messages = [...handshake, start('killer', ['/bin/sh', '-c', script, seconds], more)];
    for (const message of messages) run.child.stdin.write(`${JSON.stringify(message)}\n`);
    await run.ended;
    await eventually(() => sleepers(seconds).length === 0);
  });
}
