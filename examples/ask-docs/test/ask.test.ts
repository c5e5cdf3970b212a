import { bytesResource, type Resource } from '@vernal/core';
import { ExtractiveChatModel, LocalEmbeddingModel } from '@vernal/model-local';
import { describe, expect, it } from 'vitest';
import { ask, index } from '../src/ask.js';

const page = (filename: string, text: string): Resource =>
  bytesResource(new TextEncoder().encode(text), { filename, mimeType: 'text/markdown' });
const pages = [
  page('bees.md', '# Bees\n\n## Hives\n\nThe hive behind the chapel gives 14 kilos of honey.\n'),
  page('wells.md', '# Wells\n\n## Depth\n\nThe well of Ibsley is 70 metres deep.\n'),
];

describe('answers from two Markdown files', () => {
  it.each([
    ['How much honey does the hive behind the chapel give?', '14 kilos', 'bees.md', 'Hives'],
    ['How deep is the well of Ibsley?', '70 metres', 'wells.md', 'Depth'],
  ])('%s', async (question, fact, source, title) => {
    const vectorStore = await index(pages, new LocalEmbeddingModel());
    const { answer, sources } = await ask(new ExtractiveChatModel(), vectorStore, question);
    expect(answer).toContain(fact);
    const cited = Number(/\[(\d)\]/.exec(answer)?.[1]);
    expect(sources[cited - 1]?.metadata).toMatchObject({ source, title });
  });

  it('says so when they do not hold the answer', async () => {
    const vectorStore = await index(pages, new LocalEmbeddingModel());
    const { answer } = await ask(new ExtractiveChatModel(), vectorStore, 'Which club won the cup in 1974?');
    expect(answer).toBe('The documents do not say.');
  });
});
