// What survives a process's end, by how it comes and what the process has left behind: our server beside the real one.
//   node bench/orphans.js                          ours only
//   node bench/orphans.js --real /path/to/codex    beside `codex exec-server`
// Survivors are counted 1 s after the end. Linux only. Everything is killed afterwards.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SURVIVORS_AFTER_MS = 1_000;
const LIMIT_MS = 20_000;

const trees = {
  'plain tree': 'sh -c "sh -c \\"sleep $0; :\\" & echo up; wait"; :',
  'background child': 'sleep "$0" & echo up; exec sleep "$0"',
  'setsid child': 'setsid sleep "$0" > /dev/null & echo up; sleep "$0"',
  'double fork': 'setsid sh -c "(sleep $0 < /dev/null > /dev/null 2>&1 &) ; :" ; echo up; sleep "$0"',
};
const ends = {
  terminate: (server) => server.send({ id: 9, method: 'process/terminate', params: { processId: 't' } }),
  EOF: (server) => server.child.stdin.end(),
  SIGTERM: (server) => server.child.kill('SIGTERM'),
  SIGKILL: (server) => server.child.kill('SIGKILL'),
};
/** With a policy, as Codex asks, children are marked by a variable; an exact environment stays so, and the mark is a limit. */
const environments = {
  policy: {
    env: {},
    envPolicy: { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] },
  },
  exact: { env: { PATH: process.env.PATH } },
};

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function textOf(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

const isZombie = (pid) => / Z /.test(textOf(`/proc/${pid}/stat`).replace(/^.*\)/s, ''));

const survivors = (seconds) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && textOf(`/proc/${name}/cmdline`).includes(seconds) && !isZombie(name))
    .map(Number);

class Server {
  constructor(command, env) {
    const [program, ...args] = command;
    this.child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], env });
    this.child.stdin.on('error', () => {});
    this.lines = createInterface(this.child.stdout);
  }

  send(message) {
    this.child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Resolves when a line of stdout holds the text. */
  says(text) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`never said ${text}`)), LIMIT_MS);
      this.lines.on('line', (line) => {
        if (!line.includes(text)) return;
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

let count = 0;

async function once(command, end, script, environment, tty) {
  const seconds = `300.${process.pid}${String(++count).padStart(4, '0')}`;
  const home = mkdtempSync(join(tmpdir(), 'orphans-'));
  const server = new Server(command, { ...process.env, CODEX_HOME: home, RUST_LOG: 'off' });
  try {
    const argv = ['/bin/sh', '-c', tty ? `trap "" HUP; ${script}` : script, seconds];
    const up = server.says('"method":"process/output"');
    server.send({ id: 1, method: 'initialize', params: { clientName: 'orphans' } });
    server.send({ method: 'initialized' });
    const params = { processId: 't', argv, cwd: 'file:///tmp', tty, ...environment };
    server.send({ id: 2, method: 'process/start', params });
    await up;
    await sleep(100);
    if (survivors(seconds).length === 0) throw new Error('nothing runs');
    end(server);
    await sleep(SURVIVORS_AFTER_MS);
    return survivors(seconds).length;
  } finally {
    server.child.kill('SIGKILL');
    for (const pid of survivors(seconds)) process.kill(pid, 'SIGKILL');
    rmSync(home, { recursive: true, force: true });
  }
}

const ours = fileURLToPath(new URL('../bin/codemode-run.js', import.meta.url));
const servers = { ours: [process.execPath, ours, 'exec-server', '--listen', 'stdio'] };
const at = process.argv.indexOf('--real');
if (at !== -1) servers.real = [process.argv[at + 1], 'exec-server', '--listen', 'stdio'];

for (const tty of [false, true]) {
  for (const [kind, environment] of Object.entries(environments)) {
    console.log(
      `\n${tty ? 'on a terminal' : 'on pipes'}, ${kind} environment: survivors, ${Object.keys(servers).join(' / ')}`,
    );
    console.log(['', ...Object.keys(ends)].map((text) => text.padEnd(18)).join(''));
    for (const [name, script] of Object.entries(trees)) {
      const cells = [];
      for (const end of Object.values(ends)) {
        const counts = [];
        for (const command of Object.values(servers)) counts.push(await once(command, end, script, environment, tty));
        cells.push(counts.join(' / '));
      }
      console.log([name, ...cells].map((text) => text.padEnd(18)).join(''));
    }
  }
}
