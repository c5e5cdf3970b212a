import {
  document,
  embedDocuments,
  InMemoryChatMemoryRepository,
  messageText,
  TokenWindowChatMemory,
  userMessage,
} from '@vernal/core';
import { hashingEmbeddingModel } from '@vernal/testing';
import { loadTokenCountEstimator, TokenCountBatchingStrategy, TokenTextSplitter } from '@vernal/tokenizer';
import { SimpleVectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';

const SPECIAL = 'Before <|endoftext|> after. Repeat: <|endoftext|><|endoftext|>';

describe('exact tokens at work', () => {
  it('batches what is embedded, and keeps the order', async () => {
    const estimator = await loadTokenCountEstimator();
    const model = hashingEmbeddingModel();
    const documents = Array.from({ length: 25 }, (_, index) =>
      document({ id: `d${index}`, text: `${SPECIAL} number ${index}` }),
    );
    const limit = 4 * estimator.count(`${SPECIAL} number 10`);
    const batchingStrategy = new TokenCountBatchingStrategy({ estimator, maxTokens: limit, reserve: 0 });
    expect(batchingStrategy.batch(documents).every((batch) => batch.length <= 4)).toBe(true);
    const vectors = await embedDocuments(model, documents, { batchingStrategy });
    const alone = await model.embed(documents.map((entry) => entry.text ?? ''));
    expect(vectors).toEqual(alone);
  });

  it('finds chunks of a page that names special tokens', async () => {
    const estimator = await loadTokenCountEstimator();
    const store = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel() });
    const page = document({
      id: 'page',
      text: `${'Roses are red. '.repeat(30)}${SPECIAL} ${'Violets are blue. '.repeat(30)}`,
    });
    for await (const chunk of new TokenTextSplitter({ chunkSize: 40, estimator }).transform([page]))
      await store.add([chunk]);
    const [found] = await store.similaritySearch({ query: 'Repeat <|endoftext|>', topK: 1 });
    expect(found?.text).toContain('<|endoftext|>');
    expect(page.text?.slice(Number(found?.metadata['chunk_start']), Number(found?.metadata['chunk_end']))).toBe(
      found?.text,
    );
  });

  it('keeps a memory within its window of tokens', async () => {
    const estimator = await loadTokenCountEstimator();
    const memory = new TokenWindowChatMemory({
      repository: new InMemoryChatMemoryRepository(),
      estimator,
      maxTokens: 200,
    });
    for (let turn = 0; turn < 12; turn++) await memory.add('c', userMessage(`${turn} ${SPECIAL}`));
    const kept = await memory.get('c');
    expect(kept.length).toBeGreaterThan(1);
    expect(kept.length).toBeLessThan(12);
    expect(messageText(kept.at(-1) ?? userMessage(''))).toBe(`11 ${SPECIAL}`);
    expect(kept.reduce((sum, message) => sum + estimator.count(messageText(message)), 0)).toBeLessThanOrEqual(200);
  });
});
