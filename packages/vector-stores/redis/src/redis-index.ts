import { abortError, invalidArgument } from '@vernal/core';
import type { RedisClient } from './redis-client.js';
import type { CommandBounds } from './redis-commands.js';
import { commanded } from './redis-commands.js';
import type { IndexShape } from './redis-schema.js';
import { createIndex, readIndex, validateIndex } from './redis-schema.js';
import type { RedisSettings } from './redis-settings.js';

const POLL_MS = 10;

/** What `initializeSchema` says; gives the dimensions of the index, where the engine tells. `dimensions`: what the store was told, or its model. */
export async function openIndex(
  client: RedisClient,
  settings: RedisSettings,
  dimensions: number | undefined,
  bounds: CommandBounds,
): Promise<number | undefined> {
  const { initializeSchema } = settings;
  if (initializeSchema === 'create') {
    if (dimensions === undefined)
      throw invalidArgument('dimensions', 'is needed to make the index of a store without an embedding model');
    await create(client, settings, dimensions, bounds);
  }
  const read = (): Promise<IndexShape> => commanded('store_read', bounds, () => readIndex(client, settings.index));
  const shape = await read();
  if (initializeSchema !== 'none') {
    validateIndex(shape, settings, dimensions);
    await filled(shape, read, bounds.signal);
  }
  return shape.dimensions ?? dimensions;
}

function create(
  client: RedisClient,
  settings: RedisSettings,
  dimensions: number,
  bounds: CommandBounds,
): Promise<void> {
  return commanded('store_write', bounds, async () => {
    try {
      await createIndex(client, settings, dimensions);
    } catch (error) {
      // Also when another process was quicker; whether it is the right one is looked at next.
      if (!(error instanceof Error && /index already exists/i.test(error.message))) throw error;
    }
  });
}

/** A new index reads the keys that are there already in the background; until then it would find some of them. */
async function filled(first: IndexShape, read: () => Promise<IndexShape>, signal: AbortSignal): Promise<void> {
  for (let shape = first; shape.indexing; shape = await read()) await pause(signal);
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(abortError(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, POLL_MS);
    signal.addEventListener('abort', stop, { once: true });
  });
}
