// Drives one V1 host over its pipes, as plainly as possible, so that two hosts are measured with the same client.
import { spawn } from 'node:child_process';
import { encodeFrame, FrameDecoder, jsonCodec } from '../dist/protocol.js';

export class Driver {
  #decoder = new FrameDecoder();
  #waiting = new Map();
  #lastId = 0;
  answer = (input) => input;

  /** @param {readonly string[]} command */
  constructor([program, ...args]) {
    const env = { PATH: process.env.PATH ?? '' };
    this.child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], env, detached: true });
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('data', (chunk) => {
      for (const body of this.#decoder.push(chunk)) this.#take(jsonCodec.decode(body));
    });
    this.exited = new Promise((resolve) => this.child.once('exit', resolve));
  }

  send(message) {
    for (const part of encodeFrame(jsonCodec.encode(message))) this.child.stdin.write(part);
  }

  request(request) {
    const id = ++this.#lastId;
    this.send({ type: 'operation/request', id, request });
    return id;
  }

  hello(optionalCapabilities = ['session-cell-execution-resource-limits', 'delegate-capacity-4096']) {
    this.send({ type: 'connection/hello', supportedVersions: [1], requiredCapabilities: [], optionalCapabilities });
    return this.#next('connection/ready');
  }

  open(sessionId) {
    return this.#next(`operation/response ${this.request({ method: 'session/open', sessionId })}`);
  }

  shutdown(sessionId) {
    return this.#next(`operation/response ${this.request({ method: 'session/shutdown', sessionId })}`);
  }

  /** The result of a cell; throws what it failed with. */
  async run(source, { sessionId = 's', tools = [] } = {}) {
    const enabled_tools = tools.map((name) => ({
      name,
      tool_name: { name, namespace: null },
      description: '',
      kind: 'function',
    }));
    const request = { tool_call_id: 'c', enabled_tools, source, yield_time_ms: 600_000, max_output_tokens: null };
    const { result } = await this.#next(
      `execute/initialResponse ${this.request({ method: 'session/execute', sessionId, request })}`,
    );
    const done = result.value?.Result;
    if (done === undefined || done.error_text !== null) throw new Error(JSON.stringify(result).slice(0, 300));
    return done.content_items;
  }

  async close() {
    this.child.stdin.end();
    await this.exited;
  }

  #next(key) {
    return new Promise((resolve, reject) => {
      this.#waiting.set(key, resolve);
      void this.exited.then(() => reject(new Error(`the host ended before ${key}`)));
    });
  }

  #take(message) {
    if (message.type === 'delegate/request') {
      const { invocation } = message.request;
      const value = { type: 'tool/result', result: this.answer(invocation.input) };
      this.send({ type: 'delegate/response', id: message.id, result: { status: 'ok', value } });
      return;
    }
    const key = message.id === undefined ? message.type : `${message.type} ${message.id}`;
    this.#waiting.get(key)?.(message);
    this.#waiting.delete(key);
  }
}
