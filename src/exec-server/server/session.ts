import { startTimer } from '../../waiting/timer.js';
import type { RpcConnection } from '../connection/index.js';
import type { Launcher } from './launcher.js';
import { ProcessTable } from './process-table.js';

/** Notifications that wait for a client which does not read; above, its processes wait too. */
const HIGH = 64;
const LOW = 8;

/** A client's processes. It may outlive its connection. */
export class Session {
  readonly id: string;
  readonly processes: ProcessTable;
  #connection: RpcConnection | undefined;
  #waiting = 0;
  #paused = false;
  #stopExpiry: () => void = () => undefined;

  constructor(id: string, launcher: Launcher) {
    this.id = id;
    this.processes = new ProcessTable(launcher, (method, params) => this.#send(method, params));
  }

  /** Undefined while it waits for its client. */
  get connection(): RpcConnection | undefined {
    return this.#connection;
  }

  get attached(): boolean {
    return this.#connection !== undefined;
  }

  attach(connection: RpcConnection): void {
    this.#stopExpiry();
    this.#connection = connection;
  }

  /** From here on output is only retained. `expire` runs after a time without a connection. */
  detach(keepMs: number, expire: () => void): void {
    this.#connection = undefined;
    this.#waiting = 0;
    this.#regulate();
    // Holds the program: what a client may come back for is not thrown away because nothing else is going on.
    this.#stopExpiry = startTimer(keepMs, expire);
  }

  end(): void {
    this.#stopExpiry();
    this.#connection = undefined;
    this.processes.end();
  }

  #send(method: string, params: unknown): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#waiting += 1;
    const done = (): void => {
      if (this.#connection !== connection) return;
      this.#waiting -= 1;
      this.#regulate();
    };
    // Whoever hears of the end of the connection tells us; a message that was lost with it is retained.
    connection.notify(method, params).then(done, done);
    this.#regulate();
  }

  #regulate(): void {
    const paused = this.#paused ? this.#waiting > LOW : this.#waiting > HIGH;
    if (paused === this.#paused) return;
    this.#paused = paused;
    this.processes.setPaused(paused);
  }
}
