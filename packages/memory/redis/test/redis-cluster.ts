import { Cluster, Redis } from 'ioredis';
import { freePort, type PlainServer, startPlainServer } from './plain-server.mjs';

const SLOTS = 16_384;
const SERVERS = 3;

/** Three servers that share the slots, without replicas. */
export interface RedisCluster {
  /** A client of its own; ended with the cluster. */
  connect(): Cluster;
  /** One client a server. */
  readonly nodes: readonly Redis[];
  end(): Promise<void>;
}

export async function startCluster(): Promise<RedisCluster> {
  const servers = await Promise.all(Array.from({ length: SERVERS }, startNode));
  const nodes = servers.map(({ url }) => new Redis(url));
  const clients: Cluster[] = [];
  const share = Math.ceil(SLOTS / SERVERS);
  for (const [at, node] of nodes.entries()) {
    await node.call('CLUSTER', ['SET-CONFIG-EPOCH', at + 1]);
    await node.call('CLUSTER', ['ADDSLOTSRANGE', at * share, Math.min((at + 1) * share, SLOTS) - 1]);
  }
  const [first, ...others] = nodes;
  for (const at of others.keys()) {
    const server = servers[at + 1];
    if (server !== undefined) await first?.call('CLUSTER', ['MEET', '127.0.0.1', server.port, server.busPort]);
  }
  for (const node of nodes) await joined(node);
  return {
    nodes,
    connect() {
      const client = new Cluster(servers.map(({ port }) => ({ host: '127.0.0.1', port })));
      clients.push(client);
      return client;
    },
    async end() {
      for (const client of [...clients, ...nodes]) client.disconnect();
      await Promise.all(servers.map((server) => server.end()));
    },
  };
}

async function startNode(): Promise<PlainServer & { readonly busPort: number }> {
  const busPort = await freePort();
  const server = await startPlainServer('--cluster-enabled', 'yes', '--cluster-port', String(busPort));
  return { ...server, busPort };
}

/** Servers tell each other by and by. */
async function joined(node: Redis): Promise<void> {
  for (;;) {
    const info = await node.cluster('INFO');
    if (info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${SERVERS}`)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
