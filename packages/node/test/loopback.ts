// Servers on loopback: one of HTTP, and one that writes what it is told, well-formed or not.
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

export interface Loopback extends AsyncDisposable {
  readonly url: string;
  /** So many connections came so far. */
  readonly connections: number;
}

async function listening(server: Server): Promise<Loopback> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function httpServer(listener: RequestListener): Promise<Loopback> {
  return listening(createServer(listener));
}

/** Calls `answer` once for each connection, when the first bytes came. */
export function rawServer(answer: (socket: Socket) => void): Promise<Loopback> {
  return listening(createTcpServer((socket) => void socket.once('data', () => answer(socket))));
}

/** The whole body of a request. */
export async function bodyOf(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
