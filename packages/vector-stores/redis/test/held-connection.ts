import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to the real server that can be held up, or cut in the middle of what is sent. */
export class HeldConnection {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #held = false;
  #left: number | undefined;
  #answered = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async to(target: URL): Promise<HeldConnection> {
    const server = createServer();
    const held = new HeldConnection(server);
    server.on('connection', (near) => held.#join(near, connect(Number(target.port || 6379), target.hostname)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return held;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Nothing more gets through to the server. */
  hold(): void {
    this.#held = true;
  }

  /** So many bytes get through, then the connection breaks, `answered`: once the server has answered some of them. So do all later ones. */
  cutAfter(bytes: number, { answered = false } = {}): void {
    this.#left = bytes;
    this.#answered = answered;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket, far: Socket): void {
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    let breaking = false;
    far.on('data', (data) => {
      near.write(data);
      if (breaking) near.destroySoon();
    });
    near.on('data', (data) => {
      if (this.#held || breaking) return;
      if (this.#left === undefined) {
        far.write(data);
        return;
      }
      far.write(data.subarray(0, Math.max(0, this.#left)));
      breaking = this.#answered && this.#left > 0 && this.#left <= data.length;
      this.#left -= data.length;
      if (this.#left <= 0 && !breaking) near.destroy();
    });
  }
}
