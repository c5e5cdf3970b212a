import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to the real server that can be held up, or lose an answer together with the connection. */
export class LossyConnection {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #held = false;
  #lose: (() => void) | undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async to(target: URL): Promise<LossyConnection> {
    const server = createServer();
    const lossy = new LossyConnection(server);
    server.on('connection', (near) => lossy.#join(near, connect(Number(target.port || 6379), target.hostname)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return lossy;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Nothing more gets through to the server. */
  hold(): void {
    this.#held = true;
  }

  /** The server's next answer is dropped, and its connection broken; resolves then. Later connections are sound. */
  loseAnswer(): Promise<void> {
    return new Promise((resolve) => {
      this.#lose = resolve;
    });
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
    near.on('data', (data) => {
      if (!this.#held) far.write(data);
    });
    far.on('data', (data) => {
      const lose = this.#lose;
      if (lose === undefined) {
        near.write(data);
        return;
      }
      this.#lose = undefined;
      near.destroy();
      lose();
    });
  }
}
