import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A wire to a server that the test can cut. */
export class Wire {
  readonly #pairs = new Set<Socket>();
  open = true;
  /** Connections that were let through. */
  dialled = 0;
  url = '';

  static async to(t: TestContext, port: number): Promise<Wire> {
    const wire = new Wire();
    const server = createServer((near) => {
      near.on('error', () => {});
      if (!wire.open) {
        near.destroy();
        return;
      }
      wire.dialled++;
      const far = dial(port, '127.0.0.1').on('error', () => {});
      for (const socket of [near, far]) {
        wire.#pairs.add(socket);
        socket.on('close', () => wire.#pairs.delete(socket));
      }
      near.pipe(far);
      far.pipe(near);
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      wire.cut();
      server.close();
    });
    wire.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return wire;
  }

  cut(): void {
    for (const socket of this.#pairs) socket.resetAndDestroy();
  }
}
