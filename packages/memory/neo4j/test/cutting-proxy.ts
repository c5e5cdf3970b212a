import { createConnection, createServer, type Server, type Socket } from 'node:net';

/** Stands between a driver and its server, and cuts where a test says. */
export class CuttingProxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isHolding = false;
  #swallowed = 0;
  #sent = '';

  private constructor(target: URL) {
    this.#server = createServer((client) => {
      const upstream = createConnection(Number(target.port), target.hostname);
      const pair = [client, upstream] as const;
      this.#pairs.add(pair);
      client.on('data', (bytes) => {
        this.#sent += bytes.toString('latin1');
        upstream.write(bytes);
      });
      upstream.on('data', (bytes) => {
        if (this.#isHolding) this.#swallowed += bytes.length;
        else client.write(bytes);
      });
      for (const socket of pair) {
        // Cutting is what it is for.
        socket.on('error', () => {});
        socket.on('close', () => {
          for (const one of pair) one.destroy();
          this.#pairs.delete(pair);
        });
      }
    });
  }

  static async to(url: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(new URL(url));
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
    return `bolt://127.0.0.1:${address.port}`;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  /** What drivers have sent, a character a byte. */
  get sent(): string {
    return this.#sent;
  }

  /** Bytes of the server that nobody has got. */
  get swallowed(): number {
    return this.#swallowed;
  }

  /** From now on no answer comes through. */
  hold(): void {
    this.#isHolding = true;
  }

  /** Breaks what is connected; what connects later gets its answers. */
  cut(): void {
    this.#isHolding = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
