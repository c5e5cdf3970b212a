import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { Refusal } from './refusal.js';

export interface Item {
  readonly id: string;
  readonly _rid: number;
  readonly _etag: string;
  readonly _ts: number;
  readonly ttl?: number | undefined;
  readonly [name: string]: unknown;
}

export interface ContainerBody {
  readonly id: string;
  readonly partitionKey: { readonly paths: readonly string[]; readonly version?: number };
  readonly defaultTtl?: number;
  readonly indexingPolicy?: { readonly excludedPaths?: readonly { readonly path: string }[] };
}

/** Items of one partition by their ids. */
export type Items = ReadonlyMap<string, Item>;

interface Change {
  readonly lsn: number;
  readonly key: string;
  readonly id: string;
  readonly before: Item | undefined;
}

const MOST_ITEM_BYTES = 2 * 1024 * 1024;

/**
 * The items of one container, changed by transactions: what https://learn.microsoft.com/azure/cosmos-db/concepts-limits and the pages of the
 * REST API about documents say is refused, is refused.
 */
export class ItemContainer {
  readonly body: ContainerBody;
  readonly #now: () => number;
  readonly #partitions = new Map<string, Map<string, Item>>();
  /** The newest last: undone for transactions that fail, and for reads that lag behind. */
  readonly #changes: Change[] = [];
  #rids = 0;
  #lsn = 0;

  constructor(body: ContainerBody, now: () => number) {
    this.body = body;
    this.#now = now;
  }

  /** Of the last transaction. */
  get lsn(): number {
    return this.#lsn;
  }

  get keys(): Iterable<string> {
    return this.#partitions.keys();
  }

  /** What a replica shows of a partition that has got as far as that transaction. */
  at(key: string, lsn: number): Items {
    const items = new Map(this.#partitions.get(key));
    for (let index = this.#changes.length - 1; lsn < this.#lsn; index--) {
      const change = this.#changes[index];
      if (change === undefined || change.lsn <= lsn) break;
      if (change.key === key) put(items, change.id, change.before);
    }
    return new Map([...items].filter(([, item]) => this.#isAlive(item)));
  }

  /** All of the changes, or none if one throws. */
  transact<T>(change: (changes: ItemChanges) => T): T {
    const start = this.#changes.length;
    try {
      const result = change(new ItemChanges(this, this.#now()));
      if (this.#changes.length > start) this.#lsn++;
      return result;
    } catch (error) {
      for (const { key, id, before } of this.#changes.splice(start).reverse()) put(this.#partition(key), id, before);
      throw error;
    }
  }

  /** For the changes of the transaction that runs. */
  get(key: string, id: string): Item | undefined {
    const item = this.#partitions.get(key)?.get(id);
    return item !== undefined && this.#isAlive(item) ? item : undefined;
  }

  /** For the changes of the transaction that runs: undefined deletes. */
  set(key: string, id: string, item: Omit<Item, '_rid'> | undefined): Item | undefined {
    const before = this.get(key, id);
    const next = item && ({ ...item, _rid: before?._rid ?? ++this.#rids } as Item);
    this.#changes.push({ lsn: this.#lsn + 1, key, id, before });
    put(this.#partition(key), id, next);
    return next;
  }

  #partition(key: string): Map<string, Item> {
    const partition = this.#partitions.get(key) ?? new Map<string, Item>();
    this.#partitions.set(key, partition);
    return partition;
  }

  #isAlive({ ttl, _ts }: Item): boolean {
    const { defaultTtl } = this.body;
    if (defaultTtl === undefined) return true;
    const lives = ttl ?? defaultTtl;
    return lives === -1 || _ts + lives > Math.floor(this.#now() / 1000);
  }
}

function put(items: Map<string, Item>, id: string, item: Item | undefined): void {
  if (item === undefined) items.delete(id);
  else items.set(id, item);
}

/** The operations of one transaction on one container. */
export class ItemChanges {
  readonly #container: ItemContainer;
  readonly #now: number;

  constructor(container: ItemContainer, now: number) {
    this.#container = container;
    this.#now = now;
  }

  read(key: string, id: string): Item {
    const item = this.#container.get(key, id);
    if (item === undefined) throw new Refusal(404, 'Entity with the specified id does not exist in the system.');
    return item;
  }

  create(key: string, body: Record<string, unknown>): Item {
    const id = this.#checked(key, body);
    if (this.#container.get(key, id) !== undefined)
      throw new Refusal(409, 'Entity with the specified id already exists.');
    return this.#put(key, id, body);
  }

  upsert(key: string, body: Record<string, unknown>): Item {
    return this.#put(key, this.#checked(key, body), body);
  }

  replace(key: string, id: string, body: Record<string, unknown>, ifMatch: string | undefined): Item {
    this.#matching(key, id, ifMatch);
    if (this.#checked(key, body) !== id) throw new Refusal(400, 'Replacing the id is not allowed.');
    return this.#put(key, id, body);
  }

  /** https://learn.microsoft.com/azure/cosmos-db/partial-document-update */
  patch(key: string, id: string, body: unknown, ifMatch: string | undefined): Item {
    const known = this.#matching(key, id, ifMatch);
    const operations = Reflect.get(Object(body), 'operations') as { op: string; path: string; value: unknown }[];
    if (!Array.isArray(operations) || operations.length === 0 || operations.length > 10)
      throw new Refusal(400, 'A patch has one to ten operations.');
    const patched: Record<string, unknown> = { ...known };
    for (const { op, path, value } of operations) {
      if (op !== 'set' || !/^\/\w+$/.test(path) || value === undefined || /^\/(id|_\w+)$/.test(path))
        throw new Refusal(400, `The patch of ${path} is not valid.`);
      patched[path.slice(1)] = value;
    }
    return this.#put(key, id, patched);
  }

  delete(key: string, id: string, ifMatch: string | undefined): void {
    this.#matching(key, id, ifMatch);
    this.#container.set(key, id, undefined);
  }

  #matching(key: string, id: string, ifMatch: string | undefined): Item {
    const item = this.read(key, id);
    if (ifMatch !== undefined && ifMatch !== item._etag) throw new Refusal(412, 'One of the preconditions is not met.');
    return item;
  }

  #checked(key: string, body: Record<string, unknown>): string {
    const { id, ttl } = body;
    const { partitionKey } = this.#container.body;
    if (typeof id !== 'string' || id === '' || Buffer.byteLength(id) > 1023 || /[/\\?#]/.test(id))
      throw new Refusal(400, 'The id is missing or not valid.');
    if (body[partitionKey.paths[0]?.slice(1) ?? ''] !== key)
      throw new Refusal(400, 'The partition key of the document is not that of the header.', {
        'x-ms-substatus': '1001',
      });
    // JSON is exchanged as UTF-8 (RFC 8259), which has no half surrogate pairs.
    if (Object.values(body).some((value) => typeof value === 'string' && /\p{Surrogate}/u.test(value)))
      throw new Refusal(400, 'A text of the document is not valid.');
    if (ttl !== undefined && !(Number.isInteger(ttl) && (ttl === -1 || Number(ttl) > 0)))
      throw new Refusal(400, 'The ttl must be -1 or a positive whole number.');
    if (Buffer.byteLength(JSON.stringify(body)) > MOST_ITEM_BYTES)
      throw new Refusal(413, 'The document is larger than 2 MB.');
    return id;
  }

  #put(key: string, id: string, body: Record<string, unknown>): Item {
    // A text of the driver's own making is what the service gets; no object is shared.
    const copy = JSON.parse(JSON.stringify(body)) as object;
    const _ts = Math.floor(this.#now / 1000);
    return this.#container.set(key, id, { ...copy, id, _etag: `"${randomUUID()}"`, _ts }) as Item;
  }
}
