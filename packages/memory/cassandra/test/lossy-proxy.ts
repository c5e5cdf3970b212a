import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** What happens to the next batch: it is lost on its way, or its answer is, and the connection with it; or nothing comes through any more. */
export type Loss = 'batch' | 'answer' | 'silence';

/** A way to a server that loses what it is told to lose. */
export interface LossyProxy {
  readonly host: string;
  /** Resolves when the next batch, or its answer, is lost; for `'silence'` when the batch has come. */
  lose(loss: Loss): Promise<void>;
  /** Lets new connections wait until the function that it gives is called. */
  hold(): () => void;
  /** How many connections are open. */
  connections(): number;
  /** Resolves when none is open. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Of the native protocol, version 4, section 2.4. */
const BATCH = 0x0d;
const HEADER = 9;

/** Listens at a port of this machine; by default at any that is free. */
export async function lossyProxy(server: string, at: number = 0): Promise<LossyProxy> {
  const { hostname, port } = new URL(server);
  const sockets = new Set<Socket>();
  let armed: { readonly loss: Loss; readonly lost: () => void } | undefined;
  let gate: Promise<void> | undefined;
  const proxy = createServer(async (client) => {
    sockets.add(client);
    client.on('error', () => {});
    await gate;
    const upstream = connect(Number(port), hostname);
    let answer: typeof armed;
    let received = Buffer.alloc(0);
    sockets.add(upstream);
    upstream.on('error', () => {});
    for (const socket of [client, upstream]) {
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    const take = (frame: Buffer): void => {
      const told = frame[4] === BATCH ? armed : undefined;
      if (told === undefined) return void upstream.write(frame);
      armed = undefined;
      if (told.loss === 'batch') client.destroy();
      else {
        answer = told;
        upstream.write(frame);
      }
      if (told.loss !== 'answer') told.lost();
    };
    client.on('data', (data) => {
      received = Buffer.concat([received, data]);
      while (received.length >= HEADER) {
        const length = HEADER + received.readUInt32BE(5);
        if (received.length < length) return;
        const frame = received.subarray(0, length);
        received = received.subarray(length);
        take(frame);
      }
    });
    upstream.on('data', (data) => {
      if (answer === undefined) client.write(data);
      // The server has done what it was told, when it answers.
      if (answer?.loss === 'answer') {
        answer.lost();
        client.destroy();
      }
    });
  });
  await new Promise<void>((resolve) => proxy.listen(at, '127.0.0.1', resolve));
  const address = proxy.address();
  return {
    host: `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    lose: (loss) =>
      new Promise((resolve) => {
        armed = { loss, lost: resolve };
      }),
    hold() {
      let release: () => void = () => {};
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    connections: () => sockets.size,
    async idle() {
      while (sockets.size > 0) await Promise.all([...sockets].map((socket) => once(socket, 'close')));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
