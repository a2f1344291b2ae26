import { test } from 'node:test';
import { completes, type Failure, fails } from '../support/fixture-run.js';

// Bytes that are wrong, or only strangely cut, while a connection lives.

const message = 'failed to read code-mode host message: ';
const cases: readonly (readonly [title: string, fixture: string, Failure['message']])[] = [
  [
    'a frame that is not JSON ends the run',
    'bad-json-after-ready',
    /^failed to read code-mode host message: failed to decode code-mode IPC frame: /,
  ],
  [
    'a frame that is not UTF-8 ends the run',
    'invalid-utf8-in-frame',
    /^failed to read code-mode host message: failed to decode code-mode IPC frame: /,
  ],
  [
    'a frame of no bytes ends the run at once',
    'empty-frame',
    /^failed to read code-mode host message: failed to decode code-mode IPC frame: /,
  ],
  ['an id that is not whole ends the run', 'id-with-fraction', /^failed to read code-mode host message: .*`id`.*2\.5$/],
  [
    'a type of message that does not exist ends the run',
    'unknown-message-type',
    /^failed to read code-mode host message: .*"future\/thing"$/,
  ],
  [
    'a length of 2 GiB is refused before it is allocated',
    'huge-length-after-ready',
    `${message}code-mode IPC frame length 2147483648 exceeds 67108864 bytes`,
  ],
  [
    'the limit of a frame is exact',
    'one-byte-too-long',
    `${message}code-mode IPC frame length 67108865 exceeds 67108864 bytes`,
  ],
  [
    'a log line between frames is named, with its place',
    'banner-between-frames',
    /^failed to read code-mode host message: code-mode IPC frame length 1650808667 exceeds 67108864 bytes, text "\[WebSocket\] Closed\\n.*…" after frame 1$/,
  ],
  [
    'a host that is deaf to signals ends with the run that it has spoiled',
    'deaf-but-alive',
    `${message}code-mode IPC frame length 1936617326 exceeds 67108864 bytes, text "nonsense…" after frame 1`,
  ],
  [
    'an answer that breaks off is reported with the exit status',
    'half-frame-then-exit',
    `${message}early eof: stream ended inside a frame body, 20 of 118 bytes; exit status: 0`,
  ],
  [
    'of two failures at once, one is the reason',
    'bad-frame-then-exit',
    /^failed to read code-mode host message: failed to decode code-mode IPC frame: /,
  ],
];

for (const [title, name, expected] of cases) {
  test(title, async (t) => {
    await fails(t, name, { code: 'protocol-error', message: expected });
  });
}

test('frames may come byte by byte, cut inside characters', async (t) => {
  await completes(t, 'byte-by-byte', { stdout: 'é 🦀\n' });
});

test('a thousand frames may come in one write, also behind the hello', async (t) => {
  await completes(t, 'all-frames-in-one-write');
});

test('frames in the same write as the end of the hello are not lost', async (t) => {
  await completes(t, 'hello-in-two-halves');
});
