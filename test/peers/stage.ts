import type {
  Delegate,
  Host,
  Notification,
  Observation,
  Session,
  SessionOptions,
  ToolCall,
  ToolDefinition,
} from '../../src/index.js';
import { eventually } from '../support/processes.js';

/** Longer than anything here takes. */
export const YIELD_MS = 60_000;

/** A session, and the delegate that its cells talk to. */
export class Stage implements Delegate {
  readonly calls: ToolCall[] = [];
  readonly revoked: string[] = [];
  readonly notes: string[] = [];
  readonly closed: string[] = [];
  answer: (call: ToolCall) => unknown = ({ input }) => input;
  session!: Session;

  static async on(host: Host, options: Omit<SessionOptions, 'delegate'> = {}): Promise<Stage> {
    const stage = new Stage();
    stage.session = await host.openSession({ delegate: stage, ...options });
    return stage;
  }

  invokeTool(call: ToolCall, { signal }: { signal: AbortSignal }): unknown {
    this.calls.push(call);
    signal.addEventListener('abort', () => this.revoked.push(call.callId));
    return this.answer(call);
  }

  notify({ text }: Notification): void {
    this.notes.push(text);
  }

  cellClosed(cellId: string): void {
    this.closed.push(cellId);
  }

  async run(source: string, tools: readonly ToolDefinition[] = [], yieldTimeMs = YIELD_MS): Promise<Observation> {
    const cell = await this.session.execute({ source, tools, yieldTimeMs });
    return cell.initial;
  }

  wait(cellId: string, yieldTimeMs = YIELD_MS): Promise<Observation> {
    return this.session.wait(cellId, { yieldTimeMs });
  }

  /** Resolves when this many calls have been made. */
  called(count: number): Promise<void> {
    return eventually(() => this.calls.length >= count);
  }

  ended(...cellIds: readonly string[]): Promise<void> {
    return eventually(() => cellIds.every((id) => this.closed.includes(id)));
  }
}
