import { checkFrameLength } from '../protocol/frame.js';
import {
  MAX_CELLS,
  MAX_DELEGATE_CALLS,
  MAX_DELEGATE_CALLS_NEGOTIATED,
  MAX_REQUESTS,
  REMEMBERED_IDS,
} from '../protocol/limits.js';
import type { HostMessage, Id, OperationValue, SessionRequest } from '../protocol/message.js';
import type { Cell } from './cell.js';
import { Delegates } from './delegates.js';
import {
  answerNames,
  answerTooLongText,
  duplicateRequestText,
  hostFaultText,
  sessionOpenText,
  sessionReusedText,
  tooManyCellsText,
  tooManyRequestsText,
  unknownSessionText,
  warningText,
} from './messages.js';
import type { Answer, Observer } from './observer.js';
import { OutputTotal } from './output.js';
import { RecentIds } from './recent-ids.js';
import type { RunnerPool } from './runner-pool.js';
import { Session, type SessionPort } from './session.js';

export interface OperationsPort {
  send(message: HostMessage): void;
  encode(message: HostMessage): Uint8Array;
  sendBody(body: Uint8Array): void;
  codec(): 'json' | 'msgpack';
  readonly capabilities: ReadonlySet<string>;
  readonly pool: RunnerPool;
}

interface Running {
  /** What `operation/cancel` and `operation/yield` act on; execute ignores cancel. */
  readonly observer: Observer;
  readonly method: 'session/execute' | 'session/wait' | undefined;
  cell: Cell | undefined;
}

type CellMethod = 'session/execute' | 'session/wait' | 'session/terminate';

/** The requests of one connection: ids, limits, sessions, and the answers in the order the protocol promises. */
export class Operations {
  readonly delegates: Delegates;
  readonly #port: OperationsPort;
  readonly #running = new Map<Id, Running | undefined>();
  readonly #finishedIds = new RecentIds<Id>(REMEMBERED_IDS);
  readonly #sessions = new Map<string, Session>();
  readonly #sessionIds = new RecentIds<string>(REMEMBERED_IDS);
  readonly #outputTotal = new OutputTotal();
  #cells = 0;

  constructor(port: OperationsPort) {
    this.#port = port;
    const roomy = port.capabilities.has('delegate-capacity-4096');
    this.delegates = new Delegates(roomy ? MAX_DELEGATE_CALLS_NEGOTIATED : MAX_DELEGATE_CALLS);
  }

  request(id: Id, request: SessionRequest): void {
    if (this.#running.has(id) || this.#finishedIds.has(id)) {
      throw new Error(duplicateRequestText(id));
    }
    const full = this.#running.size >= MAX_REQUESTS;
    this.#running.set(id, undefined);
    try {
      this.#take(id, request, full);
    } catch (error) {
      // A fault of ours is the failure of one request, not of every session.
      if (this.#running.has(id)) this.#refuse(id, hostFaultText((error as Error).message));
    }
  }

  #take(id: Id, request: SessionRequest, full: boolean): void {
    if (full) this.#refuse(id, tooManyRequestsText);
    else if (request.method === 'session/open') this.#open(id, request);
    else {
      const session = this.#sessions.get(request.sessionId);
      if (session === undefined) this.#refuse(id, unknownSessionText(request.sessionId));
      else if (request.method === 'session/shutdown') this.#shutdown(id, session);
      else this.#onCell(id, session, request);
    }
  }

  /** Only a wait can be cancelled; everything else takes no notice. */
  cancel(id: Id): void {
    const running = this.#running.get(id);
    if (running?.method === 'session/wait') running.cell?.cancel(running.observer);
  }

  yield(id: Id): void {
    const running = this.#running.get(id);
    if (running?.method !== undefined) running.cell?.yieldTo(running.observer);
  }

  #open(id: Id, request: SessionRequest & { method: 'session/open' }): void {
    const { sessionId } = request;
    if (this.#sessions.has(sessionId)) {
      this.#refuse(id, sessionOpenText(sessionId));
    } else if (this.#sessionIds.has(sessionId)) {
      this.#refuse(id, sessionReusedText(sessionId));
    } else {
      this.#sessionIds.add(sessionId);
      const limits = request.cellExecutionLimits ?? {};
      const truncation = request.outputTruncation ?? 'client';
      const session = new Session(sessionId, limits, truncation, this.#portOf(sessionId), this.#port.pool);
      this.#sessions.set(sessionId, session);
      this.#succeed(id, { type: 'session/ready', sessionId });
    }
  }

  #shutdown(id: Id, session: Session): void {
    this.#sessions.delete(session.id);
    session.shutdown();
    this.#succeed(id, { type: 'session/closed', sessionId: session.id });
  }

  #onCell(id: Id, session: Session, request: SessionRequest & { method: CellMethod }): void {
    const { method } = request;
    const tokens = method === 'session/execute' ? request.request.max_output_tokens : request.maxOutputTokens;
    const observer: Observer = {
      id,
      startedAt: performance.now(),
      maxTokens: tokens ?? null,
      answer: (answer) => (method === 'session/execute' ? this.#initial(id, answer) : this.#completed(id, answer)),
    };
    const running: Running = { observer, method: method === 'session/terminate' ? undefined : method, cell: undefined };
    this.#running.set(id, running);
    if (method === 'session/execute') {
      if (this.#cells >= MAX_CELLS) {
        this.#refuse(id, tooManyCellsText);
        return;
      }
      const refusal = session.execute(request.request, observer, (cell) => {
        this.#cells++;
        running.cell = cell;
        this.#port.send({
          type: 'operation/response',
          id,
          result: { status: 'ok', value: { type: 'execution/started', cellId: cell.id } },
        });
      });
      if (refusal !== undefined) this.#refuse(id, refusal);
    } else if (method === 'session/wait') {
      const { cell_id, yield_time_ms } = request.request;
      const cell = session.wait(cell_id, yield_time_ms, observer);
      running.cell = cell;
    } else session.terminate(request.cellId, observer);
  }

  #initial(id: Id, answer: Answer): void {
    const what = answerNames.initial;
    if (answer.kind === 'error') {
      this.#sendBounded(
        { type: 'execute/initialResponse', id, result: { status: 'error', message: answer.message } },
        what,
        0,
      );
    } else {
      const result = { status: 'ok', value: answer.response } as const;
      this.#sendBounded({ type: 'execute/initialResponse', id, result }, what, answer.droppedBytes);
    }
    this.#finished(id);
  }

  #completed(id: Id, answer: Answer): void {
    if (answer.kind === 'error') {
      this.#refuse(id, answer.message);
      return;
    }
    const outcome = answer.missing ? { MissingCell: answer.response } : { LiveCell: answer.response };
    const value = { type: 'wait/completed', outcome } as const;
    const message: HostMessage = { type: 'operation/response', id, result: { status: 'ok', value } };
    this.#sendBounded(message, answerNames.other, answer.droppedBytes);
    this.#finished(id);
  }

  /** An answer that no frame can hold becomes an error for its request; the connection lives on. */
  #sendBounded(message: HostMessage & { id: Id }, what: string, droppedBytes: number): void {
    let body: Uint8Array;
    try {
      body = this.#port.encode(message);
      checkFrameLength(body.byteLength + droppedBytes);
    } catch (error) {
      // Too long for a frame, or already for a string.
      const reason = answerTooLongText(what, (error as Error).message);
      this.#port.send({ ...message, result: { status: 'error', message: reason } } as HostMessage);
      return;
    }
    this.#port.sendBody(body);
  }

  #succeed(id: Id, value: OperationValue): void {
    this.#port.send({ type: 'operation/response', id, result: { status: 'ok', value } });
    this.#finished(id);
  }

  #refuse(id: Id, message: string): void {
    this.#port.send({ type: 'operation/response', id, result: { status: 'error', message } });
    this.#finished(id);
  }

  #finished(id: Id): void {
    this.#running.delete(id);
    this.#finishedIds.add(id);
  }

  #portOf(sessionId: string): SessionPort {
    return {
      delegates: this.delegates,
      outputTotal: this.#outputTotal,
      sendDelegate: (id, request, inputJson) => {
        const message: HostMessage = { type: 'delegate/request', id, sessionId, request };
        const body = inputJson === undefined ? this.#port.encode(message) : this.#withInput(message, inputJson);
        checkFrameLength(body.byteLength);
        this.#port.sendBody(body);
      },
      cancelDelegate: (id) => this.#port.send({ type: 'delegate/cancel', id }),
      warn: (line) => process.stderr.write(warningText(line)),
      cellClosed: (session, cellId) => {
        this.#cells--;
        this.#port.send({ type: 'cell/closed', sessionId: session, cellId });
      },
    };
  }

  /** The input is JSON text already, and the last thing in its message: with JSON frames it is spliced in. */
  #withInput(message: HostMessage, inputJson: string): Uint8Array {
    if (this.#port.codec() === 'json') {
      const envelope = JSON.stringify(message);
      const end = 'null}}}';
      return Buffer.from(`${envelope.slice(0, -end.length)}${inputJson}}}}`);
    }
    const filled = structuredClone(message) as { request: { invocation: { input: unknown } } };
    filled.request.invocation.input = JSON.parse(inputJson);
    return this.#port.encode(filled as unknown as HostMessage);
  }
}
