import type { AdvisorChain, ChatClientRequest, Inward } from '@vernal/client-chat';
import type { ChatMemory, Document, Message } from '@vernal/core';
import { abortError, SafeObservation, untilAborted } from '@vernal/core';
import { RequestTimeout } from '@vernal/core/adapter';
import type { FilterSource } from '@vernal/rag';
import { VectorStoreDocumentRetriever } from '@vernal/rag';
import type { VectorStore } from '@vernal/vector-store';
import { isOwnedBy, type MemoryOwner, memoriesOf, ownedBy } from './chat-memory-documents.js';
import { speakerOf, timeOf } from './chat-memory-entries.js';
import { narrowedRetriever } from './narrowed-retriever.js';
import { retrievalQuery } from './retrieval-query.js';
import { endsTheTurn, failureCode } from './store-failure.js';

/** What holds for every turn of an advisor. */
export interface MemorySettings {
  readonly vectorStore: VectorStore;
  readonly similarityThreshold: number | undefined;
  readonly requiredFilter: FilterSource | undefined;
  readonly sortBy: 'time' | 'score';
  readonly degrades: boolean;
  readonly writeTimeoutMs: number;
  nextTime(): number;
}

/** What holds for one. */
export interface MemoryRequest {
  readonly request: ChatClientRequest;
  readonly tenant: string | undefined;
  readonly topK: number;
  /** False for a turn that goes on with what it was told before. */
  readonly searches: boolean;
}

/**
 * A vector store as the memory of one turn: reading searches for what is like the question, writing adds what was said. It gives no messages
 * back; what it found is in `memories`.
 */
export class ChatMemoryTurn implements ChatMemory {
  /** In the order in which the model is to read them. */
  memories: readonly Document[] = [];
  readonly #settings: MemorySettings;
  readonly #turn: MemoryRequest;
  readonly #inward: Inward;
  readonly #chain: AdvisorChain;

  constructor(settings: MemorySettings, turn: MemoryRequest, inward: Inward, chain: AdvisorChain) {
    this.#settings = settings;
    this.#turn = turn;
    this.#inward = inward;
    this.#chain = chain;
  }

  async get(conversationId: string): Promise<Message[]> {
    const { request, searches } = this.#turn;
    const question = request.prompt.userMessage.text;
    if (!searches || question.trim() === '') return [];
    const owner = this.#owner(conversationId);
    this.memories = await this.#inward.wait(request, async (waiting) => {
      try {
        return await this.#found(question, owner, waiting);
      } catch (error) {
        if (waiting.signal?.aborted === true) throw abortError(waiting.signal);
        if (!this.#settings.degrades || endsTheTurn(error)) throw error;
        const code = failureCode(error);
        this.#chain.logger.warn('The long-term memory could not be searched: the turn goes on without it', { code });
        if (request.observation !== undefined) {
          new SafeObservation(request.observation).event('memory_degraded', { code });
        }
        return [];
      }
    });
    return [];
  }

  /** Never throws: the answer is there, and is not lost for its memory. */
  async add(conversationId: string, said: Message | readonly Message[]): Promise<void> {
    const { vectorStore, writeTimeoutMs, nextTime } = this.#settings;
    const { observation } = this.#turn.request;
    const messages = 'type' in said ? [said] : said;
    const documents = memoriesOf(messages, this.#owner(conversationId), nextTime);
    if (documents.length === 0) return;
    // Not the caller's signal: what was said is said, also to somebody who has left.
    const timeout = new RequestTimeout(writeTimeoutMs, undefined);
    try {
      await timeout.within(vectorStore.add(documents, { signal: timeout.signal, observation }));
    } catch (error) {
      const code = timeout.late ? 'timeout' : failureCode(error);
      this.#chain.logger.warn('A turn could not be put into the long-term memory', { conversationId, code });
    } finally {
      timeout.stop();
    }
  }

  async clear(): Promise<void> {}

  async #found(question: string, owner: MemoryOwner, request: ChatClientRequest): Promise<Document[]> {
    const { vectorStore, similarityThreshold, requiredFilter, sortBy } = this.#settings;
    const { topK } = this.#turn;
    const present = new Set(
      request.prompt.messages.flatMap((message) =>
        message.type === 'user' || message.type === 'assistant' ? [saidIn(message.type, message.text)] : [],
      ),
    );
    const retriever = new VectorStoreDocumentRetriever({
      vectorStore: narrowedRetriever(vectorStore, ownedBy(owner)),
      // What the prompt has already takes no place from what it has not.
      topK: topK + Math.min(topK, present.size),
      similarityThreshold,
      requiredFilter,
    });
    const retrieving = retriever.retrieve(retrievalQuery(question, request), request);
    const found = (await untilAborted(retrieving, request.signal)) ?? [];
    const memories = newestOfEach(found.filter((memory) => isOwnedBy(memory, owner)))
      .filter((memory) => !present.has(saidIn(speakerOf(memory), memory.text ?? '')))
      .slice(0, topK);
    if (request.observation !== undefined) {
      new SafeObservation(request.observation).event('memory_found', { count: memories.length });
    }
    return sortBy === 'score' ? memories : memories.sort(byTime);
  }

  #owner(conversationId: string): MemoryOwner {
    return { conversationId, tenant: this.#turn.tenant };
  }
}

function saidIn(speaker: string, text: string): string {
  return `${speaker}\n${text}`;
}

function byTime(a: Document, b: Document): number {
  const [first, second] = [timeOf(a), timeOf(b)];
  return first < second ? -1 : Number(first > second);
}

/** What was said several times is told once, where it stands best; its time is the last. */
function newestOfEach(memories: readonly Document[]): Document[] {
  const newest = new Map<string, Document>();
  for (const memory of memories) {
    const key = saidIn(speakerOf(memory), memory.text ?? '');
    const before = newest.get(key);
    // A key that is there keeps its place.
    if (before === undefined || byTime(before, memory) < 0) newest.set(key, memory);
  }
  return [...newest.values()];
}
