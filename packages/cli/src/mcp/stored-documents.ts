import type { Document } from '@vernal/core';
import { type McpResourceDefinition, mcpResource } from '@vernal/mcp';
import type { SimpleVectorStore } from '@vernal/vector-store';

/** Names that compare as people count: line 9 before line 10. */
const byName = new Intl.Collator('en', { numeric: true }).compare;

/**
 * The documents of a store as resources, by the names that answers give their sources. Which section of a document comes first a store does
 * not know: pages stand in their order, other sections in that of their names.
 */
export function storedDocuments(store: SimpleVectorStore): () => Promise<readonly McpResourceDefinition[]> {
  let reading: Promise<readonly McpResourceDefinition[]> | undefined;
  return () => {
    reading ??= resourcesOf(store).catch((error: unknown) => {
      // The next one who asks tries again.
      reading = undefined;
      throw error;
    });
    return reading;
  };
}

async function resourcesOf(store: SimpleVectorStore): Promise<readonly McpResourceDefinition[]> {
  const passages = await store.similaritySearch({ query: 'documents', topK: Math.max(store.size, 1) });
  const bySource = groupsOf(passages, sourceOf);
  return [...bySource]
    .sort(([one], [other]) => byName(one, other))
    .map(([source, found]) =>
      mcpResource({
        name: source,
        uri: `vernal://documents/${source.split('/').map(encodeURIComponent).join('/')}`,
        read: () => textOf(found),
      }),
    );
}

function groupsOf<K>(passages: readonly Document[], key: (passage: Document) => K): ReadonlyMap<K, Document[]> {
  const groups = new Map<K, Document[]>();
  for (const passage of passages) {
    const group = groups.get(key(passage));
    if (group === undefined) groups.set(key(passage), [passage]);
    else group.push(passage);
  }
  return groups;
}

/** A name that can be part of an address: half of a surrogate pair, which a file's name may hold, has no place there. */
function sourceOf({ id, metadata }: Document): string {
  return (typeof metadata['source'] === 'string' ? metadata['source'] : id).replace(/\p{Surrogate}/gu, '\uFFFD');
}

function textOf(passages: readonly Document[]): string {
  const sections = [...groupsOf(passages, ({ id, metadata }) => metadata['parent_document_id'] ?? id).values()];
  return sections
    .sort((one, other) => pageOf(one) - pageOf(other) || byName(titleOf(one), titleOf(other)))
    .map((section) => {
      const title = titleOf(section);
      const text = [...section].sort((one, other) => indexOf(one) - indexOf(other)).map((one) => one.text ?? '');
      return `${title === '' ? '' : `# ${title}\n\n`}${text.join('\n')}`;
    })
    .join('\n\n');
}

function pageOf([first]: readonly Document[]): number {
  const page = first?.metadata['page_number'];
  return typeof page === 'number' ? page : 0;
}

function titleOf([first]: readonly Document[]): string {
  const title = first?.metadata['title'];
  return typeof title === 'string' ? title : '';
}

function indexOf({ metadata }: Document): number {
  const index = metadata['chunk_index'];
  return typeof index === 'number' ? index : 0;
}
