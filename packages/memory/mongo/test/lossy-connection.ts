import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

type Loss = 'answer' | 'request';

/** A way to the real server that can be held up, or lose a command or its answer together with the connection. */
export class LossyConnection {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #held: (() => void)[] | undefined;
  readonly #losses: { readonly command: string; readonly loss: Loss; readonly lost: () => void }[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async to(url: string): Promise<LossyConnection> {
    const target = new URL(url);
    const server = createServer();
    const lossy = new LossyConnection(server);
    server.on('connection', (near) => lossy.#join(near, connect(Number(target.port || 27_017), target.hostname)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return lossy;
  }

  get url(): string {
    return `mongodb://127.0.0.1:${(this.#server.address() as AddressInfo).port}/?directConnection=true&serverSelectionTimeoutMS=10000`;
  }

  /** How many there are through this way. */
  get connections(): number {
    return this.#sockets.size / 2;
  }

  /** Nothing more gets through to the server until it is released. */
  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const send of held) send();
  }

  /** The next command of that name, or its answer, is dropped, and its connection broken; resolves then. Later ones are sound. */
  lose(command: string, loss: Loss): Promise<void> {
    return new Promise((lost) => this.#losses.push({ command, loss, lost }));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(near: Socket, far: Socket): void {
    let loses: (() => void) | undefined;
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
      const [next] = this.#losses;
      if (next !== undefined && loses === undefined && data.includes(`\x02${next.command}\0`)) {
        this.#losses.shift();
        loses = next.lost;
        if (next.loss === 'request') return this.#break(near, loses);
      }
      if (this.#held === undefined) far.write(data);
      else this.#held.push(() => far.write(data));
    });
    far.on('data', (data) => {
      if (loses === undefined) near.write(data);
      else this.#break(near, loses);
    });
  }

  #break(near: Socket, lost: () => void): void {
    near.destroy();
    lost();
  }
}
