import type { Container, OperationInput, OperationResponse, SqlQuerySpec } from '@azure/cosmos';
import { throwIfAborted, untilAborted, VernalError } from '@vernal/core';
import { cosmosError, cosmosErrorFrom, failureOf } from './cosmos-error.js';
import { CONVERSATION_ITEM, COSMOS_DB_LAYOUT_VERSION, type ConversationItem, type StoredItem } from './stored-items.js';

/** How many operations a batch may have. */
export const MOST_OPERATIONS = 100;

/** What failed a batch, of which nothing was done then. */
export interface RefusedBatch {
  readonly refused: number;
  /** Of the operation that was refused. */
  readonly index: number;
}

/** Without it the SDK does not send the token that a write or a batch before has given it, and a replica may answer that lags behind. */
export const OF_THE_SESSION: { readonly consistencyLevel: string } = { consistencyLevel: 'Session' };

const REFUSALS: ReadonlySet<number> = new Set([404, 409, 412]);

/**
 * One conversation's logical partition, and the few requests that there are. Source:
 * https://learn.microsoft.com/azure/cosmos-db/nosql/transactional-batch
 */
export class ConversationPartition {
  readonly key: string;
  readonly #container: Container;
  readonly #errorCode: 'store_read' | 'store_write';
  readonly #signal: AbortSignal | undefined;

  constructor(
    container: Container,
    key: string,
    errorCode: 'store_read' | 'store_write',
    signal: AbortSignal | undefined,
  ) {
    this.#container = container;
    this.key = key;
    this.#errorCode = errorCode;
    this.#signal = signal;
  }

  /**
   * Where the conversation stands in the region that is written to. A batch goes to the replica that takes writes, also one that only reads:
   * the picture is not an older one, as that of a plain read may be when another process has written.
   */
  async conversation(): Promise<ConversationItem | undefined> {
    return known((await this.latest(CONVERSATION_ITEM)) as ConversationItem | undefined);
  }

  async latest(id: string): Promise<StoredItem | undefined> {
    const answer = await this.batch([{ operationType: 'Read', id }]);
    if (!('refused' in answer)) return answer[0]?.resourceBody as unknown as StoredItem | undefined;
    if (answer.refused === 404) return undefined;
    throw cosmosError({ status: answer.refused }, this.#errorCode);
  }

  /** All results, page by page; not older than what a batch has read before. */
  async query<T>(query: string, parameters: Readonly<Record<string, string | number>> = {}): Promise<T[]> {
    const spec: SqlQuerySpec = {
      query,
      parameters: Object.entries(parameters).map(([name, value]) => ({ name: `@${name}`, value })),
    };
    const { resources } = await this.#send((options) =>
      this.#container.items
        .query<T>(spec, { ...options, ...OF_THE_SESSION, partitionKey: this.key, maxItemCount: -1 })
        .fetchAll(),
    );
    return resources;
  }

  /**
   * All of it or nothing. What another writer was in the way of is given back: an item that is not there (404), that is there already
   * (409), or that has changed (412).
   *
   * @param quiet - true when nobody looks at the items that come back
   */
  async batch(operations: readonly OperationInput[], quiet?: 'quiet'): Promise<OperationResponse[] | RefusedBatch> {
    const { result } = await this.#send((options) =>
      this.#container.items.batch([...operations], this.key, {
        ...options,
        ...(quiet && { contentResponseOnWriteEnabled: false }),
      }),
    );
    const answers = result ?? [];
    // 424 is what operations say that another one has failed.
    const index = answers.findIndex(({ statusCode }) => statusCode >= 400 && statusCode !== 424);
    const status = answers[index]?.statusCode;
    if (status === undefined) return answers;
    if (REFUSALS.has(status)) return { refused: status, index };
    const wait = Reflect.get(answers[index] ?? {}, 'retryAfterMilliseconds');
    throw cosmosError({ status, retryAfterMs: typeof wait === 'number' ? wait : undefined }, this.#errorCode);
  }

  /** A batch that no other writer can be in the way of. */
  async write(operations: readonly OperationInput[]): Promise<void> {
    const answer = await this.batch(operations, 'quiet');
    if ('refused' in answer) throw cosmosError({ status: answer.refused }, this.#errorCode);
  }

  /** False when it is not there, or is another version. */
  async delete(id: string, etag?: string): Promise<boolean> {
    try {
      await this.#container
        .item(id, this.key)
        .delete({ ...this.#options(), ...(etag && { accessCondition: { type: 'IfMatch', condition: etag } }) });
      return true;
    } catch (error) {
      const { status, substatus } = failureOf(error);
      if (status === 412 || (status === 404 && !substatus)) return false;
      throw cosmosErrorFrom(error, this.#errorCode, this.#signal);
    }
  }

  /** Deletes items, also those that someone else deletes at the same time. */
  async deleteAll(ids: readonly string[]): Promise<void> {
    for (let start = 0; start < ids.length; start += MOST_OPERATIONS) {
      const some = ids.slice(start, start + MOST_OPERATIONS);
      const answer = await this.batch(some.map((id) => ({ operationType: 'Delete', id })));
      if ('refused' in answer) await Promise.all(some.map((id) => this.delete(id)));
    }
  }

  async #send<T>(request: (options: { abortSignal?: AbortSignal }) => Promise<T>): Promise<T> {
    throwIfAborted(this.#signal);
    try {
      return await untilAborted(request(this.#options()), this.#signal);
    } catch (error) {
      throw cosmosErrorFrom(error, this.#errorCode, this.#signal);
    }
  }

  #options(): { abortSignal?: AbortSignal } {
    return this.#signal === undefined ? {} : { abortSignal: this.#signal };
  }
}

function known(conversation: ConversationItem | undefined): ConversationItem | undefined {
  if (conversation === undefined || conversation.layout === COSMOS_DB_LAYOUT_VERSION) return conversation;
  throw new VernalError(
    `The conversation has layout ${conversation.layout}, this release knows ${COSMOS_DB_LAYOUT_VERSION}: update @vernal/memory-cosmos-db`,
    {
      code: 'invalid_state',
      subject: 'container',
      details: { version: conversation.layout, supported: COSMOS_DB_LAYOUT_VERSION },
    },
  );
}
