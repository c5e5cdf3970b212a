// What users of stores and the authors of adapters write. It compiles, and that is the test; nothing here runs.
import { ChatClient } from '@vernal/client-chat';
import { BaseChatModel, ConversationConflictError, TEXT_ONLY, chatResponse, decodeMessage, document, encodeMessage, messageText, userMessage } from '@vernal/core';
import type { CallContext, ChatMemoryRepository, ChatModel, ChatModelCapabilities, ChatResponse, ConversationSlice, DeleteBeforeOptions, Document, EmbeddingModel, FindMessagesOptions, Message, ModelRequest, SignalOptions, WritableResource, WriteOptions } from '@vernal/core';
import { ScriptedChatModel, describeChatModel, describeMemoryRepository, describeVectorStore, hashingEmbeddingModel, nodeTestRunner } from '@vernal/testing';
import { FilterExpressionConverter, ObservedVectorStore, SimpleVectorStore, evaluateFilter, filter, parseFilter, validateFilter } from '@vernal/vector-store';
import type { DeleteResult, FilterComparison, FilterExpression, FilterScalar, NormalFilter, ResolvedSearchRequest, SearchRequest, SqlFragment, StoreContext, VectorStoreCapabilities, VectorStoreDescription, VectorStoreRetriever } from '@vernal/vector-store';
import * as nodeTest from 'node:test';
import { embeddingModel, vectorStore, write, weather } from './samples.js';

// 22. Search, three ways into one filter tree, delete.
export async function searching(tenant: string): Promise<Document[]> {
  const byText = parseFilter("country == 'BG' && year >= 2020");
  const byBuilder = filter.and(filter.eq('country', 'BG'), filter.gte('year', 2020), filter.not(filter.isNull('tag')), filter.in('tag', ['a', 'b']));
  const byTag = filter`tenant == ${tenant} && since < ${new Date()} && tag IN ${['a', 'b']}`;
  const byHand: FilterExpression = { type: 'AND', left: { group: byText }, right: { type: 'EQ', left: { key: 'tenant' }, right: { value: tenant } } };
  const checked = validateFilter(JSON.parse('{}'));
  await vectorStore.delete(['1', '2']);
  const { deleted } = await vectorStore.delete({ filter: "version == 'old'" });
  await vectorStore.delete({ filter: byTag });
  write(`${deleted ?? 'unknown'} ${evaluateFilter(byHand, { tenant })} ${printIsNull(checked)}`);
  const request: SearchRequest = { query: 'roses', topK: 6, similarityThreshold: 0.5, filterExpression: byBuilder, mode: 'hybrid', mmr: { lambda: 0.7 } };
  return [...(await vectorStore.similaritySearch('roses')), ...(await vectorStore.similaritySearch(request, { signal: AbortSignal.timeout(2_000) }))];
}
function printIsNull(e: FilterExpression): string { return e.type === 'ISNULL' ? e.left.key : e.type === 'IN' ? String(e.right.value.length) : e.type; }

// 23. The embedded store, saved and loaded.
export async function simple(file: WritableResource): Promise<number> {
  const store = new SimpleVectorStore({ embeddingModel, metric: 'cosine' });
  await store.add([document('hello', { lang: 'en' })]);
  await store.save(file);
  await store.load(file);
  return store.size;
}

// 25. A vector store adapter, whole: its dialect and three methods.
interface Pool { query(text: string, params: readonly unknown[]): Promise<{ readonly rows: readonly Record<string, unknown>[]; readonly rowCount: number | null }> }
class PgFilter extends FilterExpressionConverter<SqlFragment> {
  readonly #op: Readonly<Record<FilterComparison, string>> = { EQ: '=', NE: '<>', GT: '>', GTE: '>=', LT: '<', LTE: '<=' };
  protected and(l: SqlFragment, r: SqlFragment): SqlFragment { return { text: `(${l.text} AND ${r.text})`, params: [...l.params, ...r.params] }; }
  protected or(l: SqlFragment, r: SqlFragment): SqlFragment { return { text: `(${l.text} OR ${r.text})`, params: [...l.params, ...r.params] }; }
  protected compare(type: FilterComparison, key: string, value: FilterScalar): SqlFragment { return { text: `metadata->>? ${this.#op[type]} ?`, params: [key, value] }; }
  protected list(type: 'IN' | 'NIN', key: string, values: readonly FilterScalar[]): SqlFragment { return { text: `metadata->>? ${type === 'IN' ? '=' : '<>'} ANY(?)`, params: [key, values] }; }
  protected isNull(key: string, negated: boolean): SqlFragment { return { text: `metadata->>? IS ${negated ? 'NOT ' : ''}NULL`, params: [key] }; }
  protected constant(value: boolean): SqlFragment { return { text: value ? 'TRUE' : 'FALSE', params: [] }; }
}
interface PgOptions { readonly pool: Pool; readonly embeddingModel: EmbeddingModel; readonly table?: string | undefined }
class PgVectorStore extends ObservedVectorStore {
  readonly name = 'pgvector';
  readonly capabilities: VectorStoreCapabilities = {
    filterOperators: ['AND', 'OR', 'NOT', 'EQ', 'NE', 'GT', 'GTE', 'LT', 'LTE', 'IN', 'NIN', 'ISNULL', 'ISNOTNULL'],
    deleteByFilter: true, deleteCount: true, modes: ['vector'], mmr: false, media: false, metric: 'cosine', maxBatch: 10_000,
  };
  readonly client: Pool;
  readonly #table: string;
  readonly #filter = new PgFilter();
  constructor(options: PgOptions) { super(options); this.client = options.pool; this.#table = options.table ?? 'vector_store'; }
  protected describe(): VectorStoreDescription { return { system: 'postgresql', collection: this.#table }; }
  protected async doAdd(documents: readonly Document[], context: StoreContext): Promise<void> {
    const vectors = await this.embed(documents, context);
    for (const [i, d] of documents.entries()) await this.client.query('INSERT …', [d.id, d.text ?? null, d.metadata, vectors[i]]);
  }
  protected async doDelete(target: { readonly ids: readonly string[] } | { readonly filter: NormalFilter }): Promise<DeleteResult> {
    const where = 'ids' in target ? { text: 'id = ANY(?)', params: [target.ids] } : this.#filter.convert(target.filter);
    const { rowCount } = await this.client.query(`DELETE … WHERE ${where.text}`, where.params);
    return rowCount === null ? {} : { deleted: rowCount };
  }
  protected async doSimilaritySearch(request: ResolvedSearchRequest, context: StoreContext): Promise<Document[]> {
    const vector = await this.queryVector(request, context);
    const where = request.filter === undefined ? undefined : this.#filter.convert(request.filter);
    const { rows } = await this.client.query(`SELECT … ${where?.text ?? ''} LIMIT ?`, [vector, ...(where?.params ?? []), request.topK]);
    return rows.map((row) => document({ id: String(row['id']), text: String(row['content']), score: 1 - Number(row['distance']), metadata: { distance: Number(row['distance']) } }));
  }
}
export async function pg(pool: Pool): Promise<Document[]> {
  await using store = new PgVectorStore({ pool, embeddingModel });
  await store.client.query('SELECT 1', []);
  return store.similaritySearch({ query: 'roses', filterExpression: "country == 'BG'" });
}
// …and a store that takes nothing from the template.
export class ReadOnlyStore implements VectorStoreRetriever { async similaritySearch(request: string | SearchRequest, _context?: CallContext): Promise<Document[]> { return typeof request === 'string' ? [] : [document(request.query)]; } }

// 26. A chat model, whole: on the base, and from nothing.
interface Event { readonly delta?: string; readonly call?: { readonly index: number; readonly id?: string; readonly args?: string }; readonly usage?: { readonly in: number; readonly out: number } }
declare function events(url: string, body: unknown, signal: AbortSignal): AsyncIterable<Event>;
export class AcmeChatModel extends BaseChatModel {
  readonly provider = 'acme';
  readonly capabilities: ChatModelCapabilities = { ...TEXT_ONLY, tools: true, toolChoice: true, mediaInput: ['image/*'], unsupportedOptions: ['topK'] };
  readonly #url: string;
  constructor(options: { readonly url: string; readonly model?: string | undefined }) { super({ defaultOptions: { model: options.model, maxTokens: 4096 } }); this.#url = options.url; }
  protected async *doStream({ messages: list, options: o, signal }: ModelRequest): AsyncIterable<ChatResponse> {
    for await (const event of events(this.#url, { model: o.model, temperature: o.temperature, messages: list.map(messageText), ...o.extra }, signal)) {
      yield chatResponse(
        [{ text: event.delta, toolCallDeltas: event.call && [{ index: event.call.index, id: event.call.id, arguments: event.call.args }] }],
        { model: o.model, usage: { promptTokens: event.usage?.in, completionTokens: event.usage?.out } },
      );
    }
  }
}
export const echo: ChatModel = {
  provider: 'echo', capabilities: TEXT_ONLY, defaultOptions: {},
  call: async (prompt) => chatResponse(prompt.userMessage.text, { model: 'echo' }),
  async *stream(prompt, context) { for (const word of prompt.userMessage.text.split(' ')) { context?.signal?.throwIfAborted(); yield chatResponse(word); } },
};

// 28. A memory repository, whole, over any client.
interface Db { all(sql: string, params: readonly unknown[]): Promise<readonly { readonly sequence: number; readonly message: string }[]>; run(sql: string, params: readonly unknown[]): Promise<number> }
export class DbMemory implements ChatMemoryRepository {
  readonly client: Db;
  constructor(options: { readonly client: Db }) { this.client = options.client; }
  async *findConversationIds({ signal }: SignalOptions = {}): AsyncIterable<string> { signal?.throwIfAborted(); for (const row of await this.client.all('SELECT DISTINCT …', [])) yield row.message; }
  async findByConversationId(id: string, { last, before, includeSystem = false }: FindMessagesOptions = {}): Promise<ConversationSlice> {
    const rows = await this.client.all('SELECT … ORDER BY sequence', [id, last ?? null, before ?? null, includeSystem]);
    return { messages: rows.map((r) => decodeMessage(r.message)), sequences: rows.map((r) => r.sequence), sequence: rows.at(-1)?.sequence ?? 0 };
  }
  async append(id: string, list: readonly Message[], { expectedSequence, signal }: WriteOptions = {}): Promise<{ readonly sequence: number }> {
    signal?.throwIfAborted();
    return { sequence: await this.client.run('INSERT …', [id, expectedSequence ?? null, ...list.map(encodeMessage)]) };
  }
  async deleteBefore(id: string, sequence: number, { keepSystem = false }: DeleteBeforeOptions = {}): Promise<void> { await this.client.run('DELETE …', [id, sequence, keepSystem]); }
  async saveAll(id: string, list: readonly Message[], options?: WriteOptions): Promise<{ readonly sequence: number }> { await this.deleteByConversationId(id); return this.append(id, list, options); }
  async deleteByConversationId(id: string, _options?: SignalOptions): Promise<void> { await this.client.run('DELETE …', [id]); }
}
export async function optimistic(repository: ChatMemoryRepository): Promise<void> {
  const { sequence } = await repository.findByConversationId('c', { last: 10, includeSystem: true });
  try { await repository.append('c', [userMessage('x')], { expectedSequence: sequence }); } catch (error) { if (!ConversationConflictError.is(error)) throw error; write(String(error.actualSequence)); }
}

// 32. Suites and doubles.
const runner = nodeTestRunner(nodeTest);
describeVectorStore('simple', async ({ embeddingModel: given }) => ({ subject: new SimpleVectorStore({ embeddingModel: given }) }), { runner });
describeVectorStore('pgvector', ({ embeddingModel: given, collection }) => ({ subject: new PgVectorStore({ pool: {} as Pool, embeddingModel: given, table: collection }), close: async () => {} }), {
  runner, deviations: [{ case: 'vs.add.nul-in-text', reason: 'PostgreSQL text cannot hold U+0000', issue: 'https://example.com/1' }],
});
describeMemoryRepository('db', () => ({ subject: new DbMemory({ client: {} as Db }) }), { runner, commands: () => 0 });
describeChatModel('echo', () => ({ subject: echo }), { runner });
export async function doubles(): Promise<void> {
  const script = new ScriptedChatModel([{ toolCalls: [{ name: 'currentWeather', arguments: { location: 'Delft' } }] }, { text: 'It rains.', chunks: 'char' }, (prompt) => prompt.contents]);
  await ChatClient.create(script).prompt('Weather?').tools(weather).call().content();
  write(script.prompts[1]?.lastUserOrToolResponseMessage.type ?? '');
  script.assertComplete();
  await hashingEmbeddingModel().embed(['a']);
}
