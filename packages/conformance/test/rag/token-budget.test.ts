import { ChatClient } from '@vernal/client-chat';
import type { Document, TokenCountEstimator } from '@vernal/core';
import { contextValue, document } from '@vernal/core';
import type { OmittedDocuments } from '@vernal/rag';
import { RAG_DOCUMENT_CONTEXT, RetrievalAugmentationAdvisor, renderDocuments, tokenBudget } from '@vernal/rag';
import { ScriptedChatModel } from '@vernal/testing';
import { loadTokenCountEstimator } from '@vernal/tokenizer';
import { beforeAll, describe, expect, it } from 'vitest';

let estimator: TokenCountEstimator;
beforeAll(async () => {
  estimator = await loadTokenCountEstimator();
});

/** Sentences of eight tokens each. */
const english = (tokens: number): string => 'The trees are very old and tall. '.repeat(tokens / 8).trim();
const documentOf = (id: string, text: string, score: number): Document =>
  document({ id, text, score, metadata: { source: `${id}.md` } });
const question = `What about the trees? ${'Say more. '.repeat(15)}`.trim();

/** One turn whose documents have a budget: what the model was asked, what was kept, what was told. */
async function turn(documents: readonly Document[], maxTokens: number) {
  const omitted: OmittedDocuments[] = [];
  const advisor = new RetrievalAugmentationAdvisor({
    documentRetriever: () => documents,
    documentPostProcessors: [
      tokenBudget({ maxTokens, estimator, countMarks: true, onOmitted: (told) => void omitted.push(told) }),
    ],
    onError: 'throw',
  });
  const model = new ScriptedChatModel(['ok']);
  const client = ChatClient.builder(model).defaultSystem('Be brief.').defaultAdvisors(advisor).build();
  const { context } = await client.prompt(question).call().chatClientResponse();
  const prompt = model.prompts[0];
  const text = prompt?.userMessage.text ?? '';
  const block = /<documents>[\s\S]*<\/documents>/.exec(text)?.[0] ?? '';
  expect(text.endsWith(`Question: ${question}`)).toBe(true);
  expect(prompt?.messages[0]).toMatchObject({ type: 'system', text: 'Be brief.' });
  const kept = contextValue(context, RAG_DOCUMENT_CONTEXT) ?? [];
  expect(block).toBe(renderDocuments(kept));
  expect(estimator.count(block)).toBeLessThanOrEqual(maxTokens);
  return { kept, omitted, block };
}

describe('a budget counted with a real tokenizer', () => {
  it('keeps the best whole documents that fit, with their marks, and tells which it left out', async () => {
    const documents = Array.from({ length: 12 }, (_, at) =>
      documentOf(`d${at + 1}`, english(at === 1 ? 1_504 : 304), 0.99 - at / 100),
    );
    const { kept, omitted } = await turn(documents, 1_000);
    expect(kept).toEqual([documents[0], documents[2], documents[3]]);
    expect(omitted).toEqual([{ leftOut: documents.filter((one) => !kept.includes(one)), cut: undefined }]);
  });

  it('cuts a single document behind a sentence, and tells so', async () => {
    const large = documentOf('large', english(5_000), 0.9);
    const { kept, omitted, block } = await turn([large], 1_000);
    expect(kept[0]?.text?.endsWith('very old and tall.')).toBe(true);
    expect(estimator.count(block)).toBeGreaterThan(970);
    expect(omitted).toEqual([{ leftOut: [], cut: large }]);
  });

  it.each([
    ['敏捷的棕色狐狸跳过了懒狗，然后它在花园里休息了一会儿。', '。'],
    ['すばやい茶色の狐がのろまな犬を飛び越える。', '。'],
    ['👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦'],
    ['जल्दी भूरी लोमड़ी आलसी कुत्ते के ऊपर कूदती है। ', '।'],
  ])('cuts between characters that belong together: %s', async (sentence, end) => {
    const { kept, block } = await turn([documentOf('large', sentence.repeat(400), 0.9)], 500);
    expect(kept[0]?.text?.endsWith(end)).toBe(true);
    expect(sentence.repeat(400).startsWith(kept[0]?.text ?? '-')).toBe(true);
    expect(estimator.count(block)).toBeGreaterThan(400);
  });

  it('gives nothing where not even a character fits, and is refused when it is none', async () => {
    const documents = [documentOf('a', english(40), 0.9)];
    expect((await turn(documents, 5)).omitted).toEqual([{ leftOut: documents, cut: undefined }]);
    expect(() => tokenBudget({ maxTokens: 0, estimator })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'maxTokens' }),
    );
  });
});
