import { FrameDecoder } from '../../protocol/frame.js';
import { fromRunner, type StartPayload, toRunner } from '../runner-wire.js';
import { Cell, type CellPort } from './cell.js';
import { lockDown } from './lockdown.js';
import { sendFrame } from './output.js';
import { createRealm, type Realm, warmUp } from './realm.js';
import { filterStacks } from './stack.js';

const decoder = new FrameDecoder(2 ** 32 - 1);
const utf8 = new TextDecoder();
let realm: Realm | undefined = createRealm();
let cell: Cell | undefined;
let running: Realm | undefined;

filterStacks(() => (running ?? realm)?.prelude);
const { stdin } = process;
// Rejections that nobody handles are the cell's own business and have no effect.
process.on('unhandledRejection', () => {});
process.on('rejectionHandled', () => {});
warmUp(realm);
const exit = lockDown();

const port: CellPort = {
  send: sendFrame,
  exit: () => exit(0),
  finished() {
    cell = undefined;
    // The next cell of this session finds its context made.
    setImmediate(() => {
      realm ??= createRealm();
    });
  },
};

function start(payload: string): void {
  running = realm ?? createRealm();
  realm = undefined;
  cell = new Cell(running, port);
  cell.run(JSON.parse(payload) as StartPayload).catch((error: unknown) => {
    throw error;
  });
}

function receive(body: Uint8Array): void {
  const payload = utf8.decode(body.subarray(1));
  if (body[0] === toRunner.start) {
    start(payload);
    return;
  }
  const space = payload.indexOf(' ');
  cell?.deliver(Number(payload.slice(0, space)), body[0] === toRunner.result, payload.slice(space + 1));
}

stdin.on('data', (chunk: Buffer) => {
  for (const body of decoder.push(chunk)) receive(body);
});
stdin.on('end', () => exit(0));
stdin.on('error', () => exit(0));
sendFrame(fromRunner.ready, '');
