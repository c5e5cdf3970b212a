import { markLifetime } from './lifetime.js';
import { clear, commit } from './memory-commit.js';
import type { MemoryPlace } from './memory-place.js';
import { writtenDocuments } from './written-documents.js';

/**
 * A mark first, which every write under way runs into, then all before it. The mark holds the key and nothing more, and goes by itself after
 * an hour where there is a TTL index.
 */
export async function deleteConversation(place: MemoryPlace): Promise<void> {
  const write = globalThis.crypto.randomUUID();
  let below = 0;
  await commit({ ...place, write }, (head) => {
    const isDeleted = head === undefined || (head.isEmpty && head.sequence === 0);
    below = isDeleted ? (head?.slot ?? 0) : head.slot + 1;
    if (isDeleted) return { documents: [] };
    const written = { key: place.key, conversationId: place.storedId, write, slot: below, from: below };
    return { documents: writtenDocuments({ ...written, lifetime: markLifetime() }, [], { sequence: 0 }) };
  });
  if (below > 0) await clear(place, 0, below);
}
