import { setTimeout as pause } from 'node:timers/promises';
import type { Json, Message } from '../host-wire.js';
import { TestedHost } from '../tested-host.js';
import { type Finding, type Probe, type Step, sourceText } from './probe.js';
import { recordDelegate, recordDelegates, recordResult } from './record.js';
import { answerCall, toolDefinition } from './tools.js';

const DEFAULT_YIELD_MS = 10_000;
const NO_ANSWER = { kind: 'no-reply' };

/** One probe against one fresh host. */
class ProbeRun {
  readonly #probe: Probe;
  readonly #host: TestedHost;
  readonly #delegates: Json[] = [];
  readonly #held: (() => void)[] = [];
  readonly #cells = new Map<string, { id: string; request: number }>();
  readonly #background = new Map<string, Promise<Json>>();
  readonly #opened = new Set<string>();
  readonly #results: Json[] = [];
  #lastId = 0;

  constructor(probe: Probe, program: string, env: Readonly<Record<string, string>>) {
    this.#probe = probe;
    this.#host = new TestedHost(program, env);
    this.#host.onDelegate = (message) => this.#delegate(message);
  }

  async run(): Promise<Finding> {
    try {
      await this.#host.hello({ optional: this.#probe.caps ?? [] });
      const { steps } = this.#probe;
      // Where times matter, the host has run something before.
      if (steps !== undefined) await this.#warmUp();
      for (const step of steps ?? [{ op: 'exec', source: this.#probe.source ?? '' } as const]) await this.#step(step);
      return await this.#finding();
    } finally {
      await this.#host.destroy();
    }
  }

  async #finding(): Promise<Finding> {
    const early = this.#host.hasExited;
    const exit = await this.#host.end().exit();
    const ended = early || exit.code !== 0 ? { host_exit: exit } : {};
    const delegates = recordDelegates(this.#delegates);
    return { steps: this.#results, ...(delegates === undefined ? {} : { delegates }), ...ended };
  }

  async #warmUp(): Promise<void> {
    await this.#host.open('warm', this.#nextId());
    const id = this.#nextId();
    await this.#host.run(id, '1', { session: 'warm' });
    await this.#host.closed();
  }

  async #step(step: Step): Promise<void> {
    const session = step.session ?? 's';
    const says = (result: Json): unknown => this.#results.push({ op: step.op, ...result });
    switch (step.op) {
      case 'exec':
        return this.#execute(step, session, says);
      case 'await':
        return void says((await this.#background.get(step.cell ?? '')) ?? NO_ANSWER);
      case 'wait':
      case 'terminate': {
        const answer = step.op === 'wait' ? this.#wait(step, session) : this.#terminate(step, session);
        if (step.bg !== true) return void says(await answer);
        this.#background.set(step.as ?? '', answer);
        return void says({ bg: true });
      }
      case 'open':
        this.#opened.add(session);
        return void says(await this.#request('open', { sessionId: session, ...step.extra }));
      case 'shutdown':
        return void says(await this.#request('shutdown', { sessionId: session }));
      case 'yieldop':
        this.#host.send({ type: 'operation/yield', id: this.#cells.get(step.cell ?? '')?.request });
        return;
      case 'release':
        for (const answer of this.#held.splice(0)) answer();
        return;
      case 'sleep':
        await pause(step.ms);
    }
  }

  async #execute(step: Step & { op: 'exec' }, session: string, says: (result: Json) => unknown): Promise<void> {
    if (!this.#opened.has(session)) {
      this.#opened.add(session);
      const opened = await this.#request('open', { sessionId: session, ...this.#probe.open });
      if (opened.type !== 'session/ready') this.#results.push({ op: 'open', ...opened });
    }
    const request = this.#nextId();
    const {
      yield_ms: yieldMs = DEFAULT_YIELD_MS,
      max_tokens: maxTokens = null,
      tool_call_id: callId = 'call-1',
    } = step;
    const tools = (step.tools ?? this.#probe.tools ?? []).map(toolDefinition);
    const more = step.extra ?? {};
    this.#host.execute(request, sourceText(step.source), { session, tools, yieldMs, maxTokens, callId, more });
    const { result: started } = await this.#host.response(request);
    if (started.status !== 'ok') {
      says({ started: recordResult(started) });
      return;
    }
    const id: string = started.value.cellId;
    this.#cells.set(step.as ?? '', { id, request });
    const initial = this.#host.initial(request).then(({ result }) => recordResult(result));
    if (step.bg === true) {
      initial.catch(() => {}); // whoever awaits it hears of it
      this.#background.set(step.as ?? '', initial);
      says({ bg: true, cell_id: id });
    } else {
      says(await initial);
    }
  }

  #wait(step: Step, session: string): Promise<Json> {
    const request = { cell_id: this.#cellId(step), yield_time_ms: step.yield_ms ?? DEFAULT_YIELD_MS, ...step.extra };
    return this.#request('wait', { sessionId: session, request, ...step.top });
  }

  #terminate(step: Step, session: string): Promise<Json> {
    return this.#request('terminate', { sessionId: session, cellId: this.#cellId(step), ...step.top });
  }

  #cellId({ cell = '' }: Step): string {
    return this.#cells.get(cell)?.id ?? cell;
  }

  async #request(method: string, more: Json): Promise<Json> {
    const id = this.#nextId();
    const { result } = await this.#host.request(id, method, more).response(id);
    return recordResult(result);
  }

  #nextId(): number {
    return ++this.#lastId;
  }

  #delegate(message: Message): void {
    const { id, request } = message;
    this.#delegates.push(recordDelegate(message));
    if (request.type === 'notification/send') {
      const { notifyHold, notifyError } = this.#probe;
      if (notifyHold === true) this.#held.push(() => this.#host.delivered(id));
      else if (notifyError !== undefined) this.#host.failure(id, notifyError);
      else this.#host.delivered(id);
      return;
    }
    const { tool_name, input } = request.invocation;
    answerCall(this.#probe.behaviour?.[tool_name.name] ?? tool_name.name, input, {
      ok: (value) => this.#host.result(id, value),
      fail: (text) => this.#host.failure(id, text),
      asNotification: () => this.#host.delivered(id),
      hold: (answer) => this.#held.push(answer),
    });
  }
}

/** What comes of a probe; a host that goes silent or ends makes a finding that says so. */
export async function runProbe(
  probe: Probe,
  program: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Finding> {
  try {
    return await new ProbeRun(probe, program, env).run();
  } catch (error) {
    return { steps: [], host_exit: error instanceof Error ? error.message : String(error) };
  }
}
