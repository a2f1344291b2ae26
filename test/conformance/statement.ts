import { equal, notEqual, ok } from 'node:assert/strict';
import { availableParallelism, loadavg } from 'node:os';
import { type Exit, frame, type Json, type Message } from './host-wire.js';
import { TestedHost } from './tested-host.js';

export const CAPABILITIES = [
  'bounded-output-v1',
  'delegate-capacity-4096',
  'session-cell-execution-resource-limits',
  'tool-catalog-revision-v1',
  'yield-observation',
];

/** The source of a cell that waits for ever. */
export const PENDING = 'await new Promise(() => {});';

export interface Statement {
  readonly id: string;
  readonly says: string;
  readonly slow: boolean;
  /** Fails when the statement does not hold. */
  readonly check: (bench: Bench) => Promise<void>;
}

export const statement = (id: string, says: string, check: Statement['check']): Statement => ({
  id,
  says,
  slow: false,
  check,
});

/** One that takes many seconds, or thousands of requests. */
export const slow = (...parts: Parameters<typeof statement>): Statement => ({ ...statement(...parts), slow: true });

/** Starts hosts for one statement, and ends them after it. */
export class Bench {
  readonly #program: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #hosts: TestedHost[] = [];

  constructor(program: string, env: Readonly<Record<string, string>> = {}) {
    this.#program = program;
    this.#env = env;
  }

  /** A host that has not been spoken to. */
  start(): TestedHost {
    const host = new TestedHost(this.#program, this.#env);
    this.#hosts.push(host);
    return host;
  }

  /** A host after the handshake. */
  async greet(optional: readonly string[] = []): Promise<TestedHost> {
    const host = this.start();
    const answer = await host.hello({ optional });
    equal(answer.type, 'connection/ready');
    return host;
  }

  /** A host with the session `s1`, opened by request 1. */
  async session(open: Json = {}, optional: readonly string[] = []): Promise<TestedHost> {
    const host = await this.greet(optional);
    const { result } = await host.open('s1', 1, open);
    equal(result.status, 'ok');
    return host;
  }

  /** Each of these, said to a fresh host with a session, ends it: by itself, with status 1 and a reason, and no frame. */
  async fatal(...faults: readonly (object | ((host: TestedHost) => unknown))[]): Promise<void> {
    for (const fault of faults) {
      const host = await this.session();
      const before = host.messages.length;
      if (typeof fault === 'function') fault(host);
      else host.send(fault);
      await this.endsAs(host, 1);
      equal(host.messages.length, before, `it answered: ${host.texts.slice(before).join()}`);
      notEqual(host.stderr, '', 'it gave no reason');
    }
  }

  /** A first frame that cannot be understood: status 1, and no answer. */
  async fatalFirst(...hellos: readonly object[]): Promise<void> {
    for (const hello of hellos) {
      const host = this.start().send(hello);
      await this.endsAs(host, 1);
      equal(host.messages.length, 0);
    }
  }

  /** It ends while its input is open. */
  async endsAs(host: TestedHost, code: number): Promise<Exit> {
    const exit = await host.exit();
    equal(exit.code, code, `exit ${JSON.stringify(exit)}: ${host.stderr.slice(0, 300)}`);
    await host.destroy();
    return exit;
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.splice(0).map((host) => host.destroy()));
  }
}

export const hello = (more: Json = {}): Json => ({
  type: 'connection/hello',
  supportedVersions: [1],
  requiredCapabilities: [],
  optionalCapabilities: [],
  ...more,
});

export const openRequest = (sessionId: string, id: number): Json => ({
  type: 'operation/request',
  id,
  request: { method: 'session/open', sessionId },
});

/** A frame around JSON text that is not what `JSON.stringify` would write. */
export const raw =
  (text: string) =>
  (host: TestedHost): unknown =>
    host.write(frame(text));

/** Runs an act and says how many ms it took. */
export async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

/** A limit on a machine that has other things to do as well. */
export const patience = (limitMs: number): number => limitMs * (1 + loadavg()[0]! / availableParallelism());

/** At least what was asked for, and at most as much later as a busy machine explains. */
export function about(ms: number, wanted: number): void {
  ok(ms >= wanted - 10, `after ${ms} ms already, not ${wanted}`);
  ok(ms < wanted + patience(900), `only after ${ms} ms, not ${wanted}`);
}

export const delegateRequests = (host: TestedHost): Message[] =>
  host.all('delegate/request').map(({ request }) => request);
