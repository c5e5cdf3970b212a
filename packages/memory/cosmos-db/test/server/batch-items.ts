import type { Item, ItemChanges, ItemContainer } from './item-container.js';
import { Refusal } from './refusal.js';

interface Operation {
  readonly operationType: string;
  readonly id?: string;
  readonly ifMatch?: string;
  readonly resourceBody?: Record<string, unknown>;
}

export interface BatchAnswer {
  readonly status: number;
  readonly results: readonly Record<string, unknown>[];
}

/** https://learn.microsoft.com/azure/cosmos-db/nosql/transactional-batch : all of it, or nothing with 424 beside what failed. */
export function batchItems(container: ItemContainer, key: string, body: unknown, isMinimal: boolean): BatchAnswer {
  if (!Array.isArray(body) || body.length === 0) throw new Refusal(400, 'A batch is a list of operations.');
  if (body.length > 100) throw new Refusal(400, 'A batch has at most 100 operations.');
  const operations = body as Operation[];
  let failed = 0;
  try {
    return container.transact((changes) => {
      const results = operations.map((operation, index) => {
        failed = index;
        return done(operation, apply(changes, key, operation), isMinimal);
      });
      return { status: 200, results };
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const results = operations.map((_, index) => ({
      statusCode: index === failed ? error.status : 424,
      requestCharge: 0,
    }));
    return { status: 207, results };
  }
}

function apply(changes: ItemChanges, key: string, operation: Operation): Item | undefined {
  const { operationType, id, ifMatch, resourceBody } = operation;
  if (operationType === 'Create') return changes.create(key, needed(resourceBody));
  if (operationType === 'Upsert') return changes.upsert(key, needed(resourceBody));
  if (operationType === 'Read') return changes.read(key, needed(id));
  if (operationType === 'Replace') return changes.replace(key, needed(id), needed(resourceBody), ifMatch);
  if (operationType === 'Patch') return changes.patch(key, needed(id), resourceBody, ifMatch);
  if (operationType !== 'Delete') throw new Refusal(400, 'There is no such operation.');
  changes.delete(key, needed(id), ifMatch);
  return undefined;
}

function done({ operationType }: Operation, item: Item | undefined, isMinimal: boolean): Record<string, unknown> {
  const statusCode = operationType === 'Create' ? 201 : operationType === 'Delete' ? 204 : 200;
  const isShown = item !== undefined && (operationType === 'Read' || !isMinimal);
  return { statusCode, requestCharge: 1, eTag: item?._etag, ...(isShown && { resourceBody: item }) };
}

function needed<T>(value: T | undefined): T {
  if (value === undefined) throw new Refusal(400, 'The operation has no id or no body.');
  return value;
}
