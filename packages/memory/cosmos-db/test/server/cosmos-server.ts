import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Account } from '../account.js';
import { batchItems } from './batch-items.js';
import { checkRequest, partitionKeyOf } from './check-request.js';
import { type ContainerBody, ItemContainer } from './item-container.js';
import { queryItems } from './query-items.js';
import { Refusal } from './refusal.js';

const MOST_REQUEST_BYTES = 2 * 1024 * 1024;

/** A request, before anything of it is done. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** No answer; no answer and a lost connection; that, or another answer, once the request was carried out. */
export type Fault = 'hang' | 'cut' | 'cut-after' | 'throttle-after';

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Answers the REST API of Azure Cosmos DB as its documentation says, as far as chat memory needs it, and refuses what that refuses. It is no
 * Cosmos DB: what the documentation does not say, this server does not show.
 */
export class CosmosServer {
  readonly key: string = Buffer.from(randomUUID()).toString('base64');
  readonly databases: Map<string, Map<string, ItemContainer>> = new Map();
  /** Called with every request, before anything is done; may throw a `Refusal`. */
  intercept: ((request: SeenRequest) => Fault | undefined | Promise<Fault | undefined>) | undefined;
  /** How many transactions plain reads are behind, unless their session token says more. */
  lag = 0;
  /** Of the account. */
  consistency: 'Session' | 'Eventual' = 'Session';
  /** Milliseconds that are added to the clock. */
  ahead = 0;
  #taken = 0;
  #port = 0;
  /** Of this server itself: it does not know what it was asked. */
  #failure: unknown;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  get port(): number {
    return this.#port;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get account(): Account {
    return { endpoint: this.endpoint, key: this.key };
  }

  /** Requests, and items read and written, since the last call. */
  taken(): number {
    const taken = this.#taken;
    this.#taken = 0;
    return taken;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const path = decodeURIComponent((incoming.url ?? '/').split('?')[0] ?? '');
    const { method = 'GET', headers } = incoming;
    const seen = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
    try {
      const fault = await this.intercept?.(seen);
      if (fault === 'hang') return;
      if (fault === 'cut') return void incoming.socket.destroy();
      checkRequest(seen, this.key);
      const answer = this.#answer(seen);
      this.#taken++;
      if (fault === 'cut-after') return void incoming.socket.destroy();
      if (fault === 'throttle-after') throw new Refusal(429, 'Request rate is large.', { 'x-ms-retry-after-ms': '1' });
      send(response, answer);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, `The test's server failed: ${error}`);
      if (!(error instanceof Refusal)) this.#failure = error;
      const { status, headers, message } = refusal;
      send(response, { status, headers, body: { code: String(status), message } });
    }
  }

  #answer(seen: SeenRequest): Answer {
    const [, dbs, database = '', colls, container = '', leaf, id] = seen.path.split('/');
    const { method } = seen;
    if (seen.path === '/') return { status: 200, body: this.#account() };
    if (dbs === 'dbs' && colls === undefined && method === 'POST') return this.#createDatabase(seen);
    const containers = this.databases.get(database);
    if (containers === undefined) throw new Refusal(404, 'The database is not there.', { 'x-ms-substatus': '1003' });
    if (colls === 'colls' && method === 'POST' && container === '') return this.#createContainer(seen, containers);
    const found = containers.get(container);
    if (found === undefined) {
      const isOwner = leaf !== undefined;
      throw new Refusal(404, 'The container is not there.', isOwner ? { 'x-ms-substatus': '1003' } : {});
    }
    if (leaf === undefined && method === 'GET') return { status: 200, body: { ...found.body, _rid: RID } };
    if (leaf === undefined && method === 'DELETE') {
      containers.delete(container);
      return { status: 204 };
    }
    if (leaf === 'pkranges' && method === 'GET')
      return { status: 200, body: { PartitionKeyRanges: [RANGE], _count: 1 } };
    if (leaf !== 'docs') throw new Refusal(405, 'There is no such resource.');
    const answer = id === undefined ? this.#many(found, seen) : this.#one(found, seen, id);
    return { ...answer, headers: { ...sessionHeaders(found, seen), ...answer.headers } };
  }

  #many(container: ItemContainer, { method, headers, body }: SeenRequest): Answer {
    if (method !== 'POST') throw new Refusal(405, 'Documents are not listed here.');
    if (Buffer.byteLength(body) > MOST_REQUEST_BYTES) throw new Refusal(413, 'The request is larger than 2 MB.');
    if (headers['x-ms-cosmos-is-batch-request'] !== undefined) {
      if (!isTrue(headers['x-ms-cosmos-batch-atomic'])) throw new Refusal(400, 'Only atomic batches are known here.');
      const key = partitionKeyOf(headers, container.body.partitionKey.version ?? 1);
      const { status, results } = batchItems(container, key, JSON.parse(body), headers['prefer'] === 'return=minimal');
      this.#taken += results.length;
      return { status, body: results };
    }
    if (isTrue(headers['x-ms-cosmos-is-query-plan-request'])) return { status: 200, body: QUERY_PLAN };
    if (!isTrue(headers['x-ms-documentdb-isquery'])) throw new Refusal(400, 'Only queries and batches are known here.');
    if (headers['content-type'] !== 'application/query+json')
      throw new Refusal(400, 'A query is application/query+json.');
    return this.#query(container, headers, body);
  }

  #query(container: ItemContainer, headers: IncomingHttpHeaders, body: string): Answer {
    const isCross = headers['x-ms-documentdb-partitionkey'] === undefined;
    if (isCross && !isTrue(headers['x-ms-documentdb-query-enablecrosspartition']))
      throw new Refusal(400, 'A query over partitions must say so.');
    const { query, parameters } = JSON.parse(body) as { query: string; parameters: [] };
    if (!Array.isArray(parameters)) throw new Refusal(400, 'A query has a list of parameters.');
    const most = Number(headers['x-ms-max-item-count'] ?? -1);
    const lsn = this.#readAt(container, headers);
    const keys = isCross ? container.keys : [partitionKeyOf(headers, container.body.partitionKey.version ?? 1)];
    const items = [...keys].flatMap((key) => [...container.at(key, lsn).values()]);
    const page = queryItems(container.body, items, {
      text: query,
      parameters,
      maxItemCount: most === -1 ? Number.POSITIVE_INFINITY : most,
      continuation: Number(headers['x-ms-continuation'] ?? 0),
    });
    this.#taken += page.results.length;
    const next = page.continuation === undefined ? {} : { 'x-ms-continuation': String(page.continuation) };
    return { status: 200, body: { Documents: page.results, _count: page.results.length }, headers: next };
  }

  #one(container: ItemContainer, { method, headers }: SeenRequest, id: string): Answer {
    const key = partitionKeyOf(headers, container.body.partitionKey.version ?? 1);
    this.#taken++;
    if (method === 'GET') {
      const item = container.at(key, this.#readAt(container, headers)).get(id);
      if (item === undefined) throw new Refusal(404, 'Entity with the specified id does not exist in the system.');
      return { status: 200, body: item, headers: { etag: item._etag } };
    }
    if (method !== 'DELETE') throw new Refusal(405, 'Documents are written by batches here.');
    const ifMatch = headers['if-match'];
    container.transact((changes) => changes.delete(key, id, ifMatch));
    return { status: 204 };
  }

  /** A replica that has got as far as the session of the client, at least. */
  #readAt(container: ItemContainer, headers: IncomingHttpHeaders): number {
    const level = headers['x-ms-consistency-level'] ?? this.consistency;
    if (level === 'Session' && this.consistency === 'Eventual')
      throw new Refusal(400, 'ConsistencyLevel Session is stronger than that of the account.');
    // A token of a session counts in one only.
    const token = level !== 'Session' ? undefined : /#(\d+)$/.exec(String(headers['x-ms-session-token'] ?? ''))?.[1];
    return Math.max(container.lsn - this.lag, Number(token ?? 0));
  }

  #createDatabase({ body }: SeenRequest): Answer {
    const { id } = JSON.parse(body) as { id: string };
    if (this.databases.has(id)) throw new Refusal(409, 'The database is there already.');
    this.databases.set(id, new Map());
    return { status: 201, body: { id, _rid: id } };
  }

  #createContainer({ body }: SeenRequest, containers: Map<string, ItemContainer>): Answer {
    const definition = JSON.parse(body) as ContainerBody;
    if (containers.has(definition.id)) throw new Refusal(409, 'The container is there already.');
    if (definition.partitionKey?.paths?.length !== 1) throw new Refusal(400, 'A container has a partition key.');
    containers.set(definition.id, new ItemContainer(definition, () => Date.now() + this.ahead));
    return { status: 201, body: { ...definition, _rid: definition.id } };
  }

  #account(): unknown {
    const regions = [{ name: 'here', databaseAccountEndpoint: `${this.endpoint}/` }];
    return {
      id: 'test',
      writableLocations: regions,
      readableLocations: regions,
      userConsistencyPolicy: { defaultConsistencyLevel: this.consistency },
    };
  }
}

/** Eight bytes, of which the SDK takes a resource's own id to be. */
const RID = Buffer.from('containr').toString('base64');
const RANGE = { id: '0', minInclusive: '', maxExclusive: 'FF', _rid: 'r' };

/** That every partition is asked and its results are joined. The SDK asks for it; the REST API's pages do not have it. */
const QUERY_PLAN = {
  partitionedQueryExecutionInfoVersion: 2,
  queryInfo: { distinctType: 'None', orderBy: [], orderByExpressions: [], groupByExpressions: [], aggregates: [] },
  queryRanges: [{ min: '', max: 'FF', isMinInclusive: true, isMaxInclusive: false }],
};

function isTrue(header: string | string[] | undefined): boolean {
  return typeof header === 'string' && header.toLowerCase() === 'true';
}

function sessionHeaders(container: ItemContainer, { path }: SeenRequest): Readonly<Record<string, string>> {
  const owner = path.split('/').slice(1, 5).join('/');
  return { 'x-ms-session-token': `0:-1#${container.lsn}`, 'x-ms-alt-content-path': owner, 'x-ms-content-path': RID };
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-ms-activity-id': randomUUID(),
    'x-ms-request-charge': '1',
    ...headers,
  });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
