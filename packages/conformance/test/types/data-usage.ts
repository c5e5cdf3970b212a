// What users of templates, messages, documents, memory and embeddings write. It compiles, and that is the test; nothing here runs.
import { Prompt, PromptTemplate, SystemPromptTemplate, assistantMessage, bytesResource, callText, decodeMessage, document, embedDocuments, encodeMessage, fold, foldTap, formatDocument, media, requirePlaceholders, responseText, retry, toolResponseMessage, userMessage } from '@vernal/core';
import type { AnySchema, DocumentReader, DocumentTransformer, InferInput, InferOutput, Message, Schema, SchemaWithJson } from '@vernal/core';
import { KeywordMetadataEnricher, TextReader, TokenTextSplitter, etl } from '@vernal/etl';
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { model, embeddingModel, vectorStore, logger, photo, write, Film, expectType, type Same } from './samples.js';

// 19. Templates.
export async function templates(): Promise<Prompt> {
  const template = new PromptTemplate({ template: 'Tell a {adjective} joke about {topic.name}: {"as": "json"}', variables: { adjective: 'dry' } });
  requirePlaceholders(template, ['topic.name']);
  const system = await SystemPromptTemplate.from(bytesResource('You are {name}.'));
  write(template.render({ topic: { name: 'cows' } }));
  return new Prompt([system.createMessage({ name: 'Bob' }), template.createMessage({ topic: { name: 'cows' } }, [media('image/png', photo)])], { temperature: 1 });
}

// 20. Messages: plain, lossless.
export function messages(): Message[] {
  const turn: Message[] = [
    userMessage('Look', { media: [media('image/jpeg', 'https://example.com/a.jpg'), media('image/png', { type: 'base64', base64: 'AAAA' })], metadata: { at: new Date(), tags: ['a'] } }),
    assistantMessage({ text: '', toolCalls: [{ id: '1', name: 'now', arguments: '' }], reasoning: [{ text: 'hm', signature: 's', provider: 'anthropic' }] }),
    toolResponseMessage([{ id: '1', name: 'now', result: '12:00', structured: { hour: 12 } }]),
  ];
  return turn.map((m) => decodeMessage(encodeMessage(m)));
}
export function byType(message: Message): number {
  switch (message.type) {
    case 'system': return message.text.length;
    case 'user': return message.media.length;
    case 'assistant': return message.toolCalls.length;
    case 'tool': return message.responses.length;
  }
}

// 21. Documents and the pipeline.
const trim: DocumentTransformer = {
  async *transform(documents) { for await (const d of documents) yield { ...d, ...(d.text === undefined ? {} : { text: d.text.trim() }) }; },
};
export async function ingest(signal: AbortSignal): Promise<void> {
  const doc = document({ text: 'Body', metadata: { source: 'a.md', page: 3 }, format: { excludedEmbedMetadataKeys: ['page'] } });
  write(formatDocument(doc, 'embed'));
  const done = await etl(new TextReader(bytesResource('…', { filename: 'a.txt' })))
    .transform(new TokenTextSplitter({ chunkSize: 800 }))
    .transform(trim)
    .transform(new KeywordMetadataEnricher({ model, keywordCount: 5 }))
    .write(vectorStore, { concurrency: 2, batchSize: 100, signal, onProgress: (p) => write(`${p.written}/${p.read}`) });
  write(String(done.written));
}
export const lines: DocumentReader = {
  async read() { return [document('one'), document('two', { line: 2 })]; },
  async *stream() { yield document('one'); },
};

// 27. Folding by hand, and on the way through.
export async function folding(): Promise<string> {
  const whole = await fold(model.stream(new Prompt('hi')));
  for await (const chunk of foldTap(model.stream(new Prompt('hi')), (done) => logger.debug('total', { tokens: done.metadata.usage.totalTokens }))) write(responseText(chunk));
  return responseText(whole);
}

// 29. Embedding, retry.
export async function rest(): Promise<void> {
  const vectors = await embedDocuments(embeddingModel, [document('a'), document('b')], { concurrency: 2, signal: undefined });
  const text = await retry((attempt) => callText(model, `try ${attempt}`), { maxAttempts: 3, initialDelayMs: 100, deadlineMs: 10_000 });
  write(`${vectors.length} ${text}`);
}

// 30. Standard Schema, as its own package spells it: either side fits where the other is wanted.
expectType<SchemaWithJson<{ a: number }> extends StandardSchemaV1<{ a: number }> & StandardJSONSchemaV1<{ a: number }> ? true : false>();
expectType<StandardSchemaV1<string, number> & StandardJSONSchemaV1<string, number> extends SchemaWithJson<string, number> ? true : false>();
expectType<StandardSchemaV1<string, number> extends Schema<string, number> & AnySchema ? true : false>();
expectType<Same<InferOutput<typeof Film>, StandardSchemaV1.InferOutput<typeof Film>>>();
expectType<Same<InferInput<typeof Film>, StandardSchemaV1.InferInput<typeof Film>>>();
