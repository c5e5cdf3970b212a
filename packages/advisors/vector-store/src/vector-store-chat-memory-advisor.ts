import type {
  AdvisorPlace,
  CallAdvisorChain,
  ChatClientRequest,
  ChatClientResponse,
  Inward,
  StreamAdvisorChain,
} from '@vernal/client-chat';
import {
  BaseAdvisor,
  DEFAULT_CHAT_MEMORY_ORDER,
  DEFAULT_TOOL_CALLING_ORDER,
  PromptChatMemoryAdvisor,
  withRequest,
} from '@vernal/client-chat';
import type { ContextKey, SignalOptions } from '@vernal/core';
import {
  contextKey,
  contextValue,
  invalidArgument,
  PromptTemplate,
  requirePlaceholders,
  UnsupportedCapabilityError,
} from '@vernal/core';
import type { FilterSource } from '@vernal/rag';
import { VectorStoreDocumentRetriever } from '@vernal/rag';
import type { DeleteResult, VectorStore } from '@vernal/vector-store';
import { ownedBy } from './chat-memory-documents.js';
import { LONG_TERM_MEMORY_TEMPLATE, memoryEntries } from './chat-memory-entries.js';
import { ChatMemoryTurn, type MemorySettings } from './chat-memory-turn.js';
import { parsedSource } from './filter-tree.js';
import { goesOnInward } from './resumed-turn.js';

/** How many memories this request is given at most, in place of the advisor's `topK`. */
export const CHAT_MEMORY_VECTOR_STORE_TOP_K: ContextKey<number> = /* @__PURE__ */ contextKey(
  'chat_memory_vector_store_top_k',
);

/** The store, what is found in it, and what happens when it fails. */
export interface VectorStoreChatMemoryAdvisorOptions extends AdvisorPlace {
  /** Any store. Better one of its own: whatever else is in it with the same `conversationId` is a memory, too. */
  readonly vectorStore: VectorStore;
  /** Memories a turn, at most. Default 20. */
  readonly topK?: number | undefined;
  /** Keeps scores >= it, in the scale of the store's metric. Default none. */
  readonly similarityThreshold?: number | undefined;
  /** Joined to the filter for the conversation by AND. A function that gives none is an error (`filter_invalid`), and nothing is searched. */
  readonly requiredFilter?: FilterSource | undefined;
  /**
   * Whose memories these are beside the conversation: where two tenants may have conversations of one id. Stored and asked for. One that
   * gives no text for a request is `invalid_argument`. Default: the conversation id is enough.
   */
  readonly tenant?: ((request: ChatClientRequest) => string) | undefined;
  /** Holds `{instructions}`, the system text, and `{long_term_memory}`. Default `LONG_TERM_MEMORY_TEMPLATE`. */
  readonly systemPromptTemplate?: PromptTemplate | undefined;
  /** 'time' (default): oldest first. 'score': what is most like the question first. */
  readonly sortBy?: 'time' | 'score' | undefined;
  /**
   * When the store cannot be searched: 'degrade' (default) goes on without long-term memory, with a warning and the event
   * `memory_degraded`; 'throw' ends the turn. A filter that is wrong and an abort end it in any case. A turn that cannot be written is a
   * warning, never an error.
   */
  readonly onError?: 'degrade' | 'throw' | undefined;
  /** Milliseconds until a write is given up. Default 30,000. */
  readonly writeTimeoutMs?: number | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Of which tenant, and until when to wait. */
export interface ClearMemoryOptions extends SignalOptions {
  /** Needed if the advisor has a `tenant`. */
  readonly tenant?: string | undefined;
}

/**
 * Long-term memory: every turn goes into a vector store, and what is like the question comes back into the system text, however long ago it
 * was said. Beside a `MessageChatMemoryAdvisor`, which holds the last messages, it leaves out what the prompt has already.
 *
 * Needs `CONVERSATION_ID` (`missing_conversation_id`). A turn is written when it ends, in one add: what the user said and what the model
 * answered, not tools and not media. A turn that failed, was aborted or left is written as far as it came, marked `cancelled`. What is found is
 * only what was said in the same conversation, filtered by a tree that no id and no message can be read into; and it stands in the prompt
 * escaped, as data.
 *
 * Scope 'turn', role 'memory', order right inside of `MessageChatMemoryAdvisor`.
 *
 * @example
 * const client = ChatClient.builder(model)
 *   .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory }), new VectorStoreChatMemoryAdvisor({ vectorStore, topK: 10 }))
 *   .build();
 * await client.prompt('What was the name of that hotel?').conversation('ann-1').call().content();
 * Source: Spring AI `VectorStoreChatMemoryAdvisor`.
 */
export class VectorStoreChatMemoryAdvisor extends BaseAdvisor {
  readonly name: string = 'VectorStoreChatMemoryAdvisor';
  override readonly role: 'memory' = 'memory';
  readonly #settings: MemorySettings;
  readonly #topK: number;
  readonly #tenant: ((request: ChatClientRequest) => string) | undefined;
  readonly #template: PromptTemplate;

  /** @throws VernalError `invalid_argument`, `template` for a missing placeholder, `filter_parse`, `filter_invalid` */
  constructor(options: VectorStoreChatMemoryAdvisorOptions) {
    super(options, memoryPlace(options));
    const { vectorStore, topK = 20, similarityThreshold, requiredFilter, systemPromptTemplate } = options;
    const { sortBy = 'time', onError = 'degrade', writeTimeoutMs = 30_000, now = Date.now } = options;
    if (typeof vectorStore?.similaritySearch !== 'function' || typeof vectorStore.add !== 'function') {
      throw invalidArgument('vectorStore', 'must be a vector store, with similaritySearch, add and delete');
    }
    if (sortBy !== 'time' && sortBy !== 'score') throw invalidArgument('sortBy', "must be 'time' or 'score'");
    if (onError !== 'degrade' && onError !== 'throw') throw invalidArgument('onError', "must be 'degrade' or 'throw'");
    if (!(writeTimeoutMs > 0)) throw invalidArgument('writeTimeoutMs', 'must be above 0');
    // Bad settings are refused here, not by the first turn.
    new VectorStoreDocumentRetriever({ vectorStore, topK, similarityThreshold, requiredFilter });
    this.#topK = topK;
    this.#tenant = options.tenant;
    this.#template = systemPromptTemplate ?? new PromptTemplate(LONG_TERM_MEMORY_TEMPLATE);
    requirePlaceholders(this.#template, ['instructions', 'long_term_memory']);
    let last = 0;
    this.#settings = {
      vectorStore,
      similarityThreshold,
      requiredFilter: parsedSource(requiredFilter),
      sortBy,
      degrades: onError === 'degrade',
      writeTimeoutMs,
      nextTime: () => {
        last = Math.max(now(), last + 1);
        return last;
      },
    };
  }

  override async advise(
    request: ChatClientRequest,
    inward: Inward,
    chain: CallAdvisorChain | StreamAdvisorChain,
  ): Promise<ChatClientResponse> {
    const turn = {
      request,
      tenant: this.#tenantOf(request),
      topK: this.#topKOf(request),
      searches: !goesOnInward(request, this, chain),
    };
    const memory = new ChatMemoryTurn(this.#settings, turn, inward, chain);
    // Everything about when a turn is stored, and as what, is that of the other memories. This one gives no messages back.
    const recorder = new PromptChatMemoryAdvisor({ chatMemory: memory });
    return recorder.advise(
      request,
      { ...inward, ask: (asked, filter) => inward.ask(this.#reminded(asked, memory), filter) },
      chain,
    );
  }

  /**
   * Forgets a conversation.
   *
   * @throws VernalError `invalid_argument` for a blank id and a missing tenant; `unsupported_capability` where the store cannot delete by
   * filter; what the store throws
   */
  async clear(conversationId: string, { tenant, signal }: ClearMemoryOptions = {}): Promise<DeleteResult> {
    if (typeof conversationId !== 'string' || conversationId.trim() === '') {
      throw invalidArgument('conversationId', 'must be a text that is not blank');
    }
    if (this.#tenant !== undefined && !isText(tenant)) {
      throw invalidArgument('tenant', 'is needed: without it the conversations of all tenants would be forgotten');
    }
    const { vectorStore } = this.#settings;
    if (!vectorStore.capabilities.deleteByFilter) {
      throw new UnsupportedCapabilityError(
        `${vectorStore.name} cannot delete by filter: find the documents with this conversationId and delete them by id`,
        { capability: 'deleteByFilter', owner: vectorStore.name, subject: 'vectorStore' },
      );
    }
    return vectorStore.delete({ filter: ownedBy({ conversationId, tenant }) }, { signal });
  }

  #reminded(request: ChatClientRequest, { memories }: ChatMemoryTurn): ChatClientRequest {
    if (memories.length === 0) return request;
    const prompt = request.prompt.augmentSystemMessage((message) => {
      const values = { instructions: message.text, long_term_memory: memoryEntries(memories) };
      return { ...message, text: this.#template.render(values).trim() };
    });
    return withRequest(request, { prompt });
  }

  #tenantOf(request: ChatClientRequest): string | undefined {
    if (this.#tenant === undefined) return undefined;
    // In plain JavaScript, or by a cast: those who are nobody must not share memories with each other.
    const tenant: unknown = this.#tenant(request);
    if (isText(tenant)) return tenant;
    throw invalidArgument('tenant', 'gave no text for this request: return whose memory it is, or throw');
  }

  #topKOf({ context }: ChatClientRequest): number {
    const given: unknown = contextValue(context, CHAT_MEMORY_VECTOR_STORE_TOP_K);
    if (given === undefined || given === null) return this.#topK;
    if (typeof given === 'number' && Number.isSafeInteger(given) && given > 0) return given;
    throw invalidArgument(CHAT_MEMORY_VECTOR_STORE_TOP_K, 'must be a whole number, at least 1');
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** Right inside of the other memories, so that what they put into the prompt is there to be seen. */
function memoryPlace({ scope }: AdvisorPlace): AdvisorPlace {
  const order = scope === 'round' ? DEFAULT_TOOL_CALLING_ORDER + 2 : DEFAULT_CHAT_MEMORY_ORDER + 1;
  return { order, scope: 'turn' };
}
