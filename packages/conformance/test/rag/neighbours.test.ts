import { ChatClient } from '@vernal/client-chat';
import type { Document } from '@vernal/core';
import { contextValue, document } from '@vernal/core';
import { LocalEmbeddingModel } from '@vernal/model-local';
import {
  neighbours,
  query,
  RAG_DOCUMENT_CONTEXT,
  RetrievalAugmentationAdvisor,
  VECTOR_STORE_FILTER_EXPRESSION,
  VectorStoreDocumentRetriever,
} from '@vernal/rag';
import { ScriptedChatModel } from '@vernal/testing';
import { TokenTextSplitter } from '@vernal/tokenizer';
import { SimpleVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';

const PARTS = [
  'The harbour opens at six. Ships wait outside until the pilot comes on board.',
  'A lamp may be sent back within thirty days. The box must be whole, and the bill must be in it.',
  'The money is on the account within a week. Gift cards are paid back as gift cards.',
  '船は六時に港へ入ります。水先人が来るまで外で待ちます。👩‍🚀👨‍👩‍👧‍👦',
  'Complaints go to the desk on the first floor. It is closed on Sundays and on feast days.',
];
const handbook = document({ id: 'handbook', text: PARTS.join('\n\n'), metadata: { tenant: 'acme', source: 'a.md' } });
const other = document({ id: 'other', text: PARTS.join(' Not for you. '), metadata: { tenant: 'other' } });

async function storeOf(overlap: number): Promise<{ readonly store: SimpleVectorStore; readonly chunks: Document[] }> {
  const store = new SimpleVectorStore({ embeddingModel: new LocalEmbeddingModel() });
  const chunks: Document[] = [];
  const splitter = new TokenTextSplitter({ chunkSize: 30, overlap, minChunkSizeChars: 20 });
  for await (const chunk of splitter.transform([handbook, other])) chunks.push(chunk);
  await store.add(chunks);
  return { store, chunks: chunks.filter(({ metadata }) => metadata['parent_document_id'] === 'handbook') };
}

const squeezed = (text = ''): string => text.replace(/\s+/g, '');

describe.each([0, 8])('neighbours of chunks that overlap by %i tokens, out of a store', (overlap) => {
  it('are the text around each chunk, whole and once', async () => {
    const { store, chunks } = await storeOf(overlap);
    expect(chunks.length).toBeGreaterThan(5);
    for (const [at, chunk] of chunks.entries()) {
      const [found] = await neighbours({ source: store, before: 1, after: 2 }).process(query('lamps'), [chunk]);
      const start = Number(chunks[Math.max(0, at - 1)]?.metadata['chunk_start']);
      const end = Number(chunks[Math.min(chunks.length - 1, at + 2)]?.metadata['chunk_end']);
      // A splitter trims its chunks: of the white space between two of them nobody knows.
      expect(squeezed(found?.text)).toBe(squeezed(handbook.text?.slice(start, end)));
      expect(found).toMatchObject({ id: chunk.id, metadata: { source: 'a.md', chunk_start: start, chunk_end: end } });
    }
    const [all] = await neighbours({ source: store, before: 50, after: 50 }).process(
      query('lamps'),
      chunks.slice(3, 4),
    );
    expect(squeezed(all?.text)).toBe(squeezed(handbook.text));
  });

  it('answer a question that one chunk does not, and stay with the tenant', async () => {
    const { store } = await storeOf(overlap);
    const requiredFilter = "tenant == 'acme'";
    const advisor = new RetrievalAugmentationAdvisor({
      documentRetriever: new VectorStoreDocumentRetriever({ vectorStore: store, topK: 1, requiredFilter }),
      documentPostProcessors: [neighbours({ source: store, after: 3, requiredFilter })],
    });
    const model = new ScriptedChatModel(['ok']);
    const client = ChatClient.builder(model).defaultAdvisors(advisor).build();
    const { context } = await client
      .prompt('May a lamp be sent back?')
      .advisors((a) => a.param(VECTOR_STORE_FILTER_EXPRESSION, "tenant == 'other' OR tenant == 'acme'"))
      .call()
      .chatClientResponse();
    const documents = contextValue(context, RAG_DOCUMENT_CONTEXT);
    expect(documents).toHaveLength(1);
    expect(documents?.[0]?.text).toContain('A lamp may be sent back within thirty days.');
    expect(documents?.[0]?.text).toContain('The money is on the account within a week.');
    expect(model.prompts[0]?.userMessage.text).not.toContain('Not for you');
  });
});
