import type { Container, ContainerDefinition, ContainerRequest } from '@azure/cosmos';
import { VernalError } from '@vernal/core';
import { failureOf } from './cosmos-error.js';
import type { MemorySettings } from './memory-settings.js';

/** What the container is partitioned by: every conversation is one logical partition. */
export const PARTITION_PATH = '/conversationKey';

/** A container as this package needs it: what queries ask for is indexed, what is only read is not. */
export function containerDefinition(id: string, throughput?: MemorySettings['throughput']): ContainerRequest {
  return {
    id,
    // Version 2 takes keys of more than 101 bytes.
    partitionKey: { paths: [PARTITION_PATH], kind: 'Hash' as never, version: 2 as never },
    indexingPolicy: {
      indexingMode: 'consistent',
      automatic: true,
      includedPaths: [{ path: '/*' }],
      excludedPaths: [{ path: '/message/?' }, { path: '/text/?' }, { path: '/writes/*' }, { path: '/"_etag"/?' }],
    },
    // On, and nothing expires that does not say so itself.
    defaultTtl: -1,
    ...throughput,
  };
}

/**
 * Makes the container if it is missing and may be made, and refuses one that would lose or mix up conversations.
 *
 * @throws what the SDK throws; VernalError `invalid_state` for a container of another kind
 */
export async function initialiseContainer(
  container: Container,
  { creates, throughput, ttl }: MemorySettings,
): Promise<void> {
  checkContainer((await readContainer(container, creates, throughput)) ?? {}, ttl);
}

async function readContainer(
  container: Container,
  creates: boolean,
  throughput: MemorySettings['throughput'],
): Promise<ContainerDefinition | undefined> {
  try {
    return (await container.read()).resource;
  } catch (error) {
    if (!creates || failureOf(error).status !== 404) throw error;
  }
  const { database } = container;
  await unlessThere(() => database.client.databases.create({ id: database.id }));
  await unlessThere(() => database.containers.create(containerDefinition(container.id, throughput)));
  return (await container.read()).resource;
}

/** Someone else may make it at the same time. */
async function unlessThere(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (failureOf(error).status !== 409) throw error;
  }
}

function checkContainer(
  { partitionKey, defaultTtl, indexingPolicy }: Partial<ContainerDefinition>,
  ttl?: number,
): void {
  const paths = partitionKey?.paths ?? [];
  if (paths.length !== 1 || paths[0] !== PARTITION_PATH)
    throw refused(`is not partitioned by ${PARTITION_PATH}: use one of its own, or another containerName`);
  if (Number(partitionKey?.version ?? 1) !== 2)
    throw refused('has partition keys of version 1, which are cut after 101 bytes: make one with version 2');
  if (defaultTtl !== undefined && defaultTtl !== null && defaultTtl > 0)
    throw refused('has a default time to live, by which messages would go one by one: set it to -1, and use ttlMs');
  if (ttl !== undefined && defaultTtl !== -1)
    throw refused('has no time to live: set its default time to live to -1 (on, no default), which ttlMs needs');
  if (indexingPolicy?.indexingMode !== undefined && String(indexingPolicy.indexingMode).toLowerCase() === 'none')
    throw refused('has no index: set its indexing mode to consistent');
}

function refused(why: string): VernalError {
  return new VernalError(`The container ${why}`, { code: 'invalid_state', subject: 'container' });
}
