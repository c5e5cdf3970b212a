import { type SignalOptions, throwIfAborted } from '@vernal/core';
import { restoredText } from '@vernal/core/adapter';
import { isNothing } from './long-value.js';
import type { MemorySession } from './memory-session.js';

/** One row of each partition, in the order of their tokens; a partition without messages has a row without a sequence. */
export async function* listConversations(
  { connection, cql }: MemorySession,
  pageSize: number,
  { signal }: SignalOptions,
): AsyncIterable<string> {
  let pageState: string | undefined;
  do {
    const page = await connection.execute(
      { query: cql.list, params: [] },
      { code: 'store_read', signal, fetchSize: pageSize, pageState },
    );
    for (const { conversationId, sequence } of page.rows ?? []) {
      throwIfAborted(signal);
      if (!isNothing(sequence) && !isNothing(conversationId)) yield restoredText(String(conversationId));
    }
    pageState = page.pageState ?? undefined;
  } while (pageState !== undefined);
}
