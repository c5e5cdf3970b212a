import type {
  AdvisorPlace,
  CallAdvisorChain,
  ChatClientRequest,
  ChatClientResponse,
  Inward,
  StreamAdvisorChain,
} from '@vernal/client-chat';
import { BaseAdvisor } from '@vernal/client-chat';
import { type ResponseCache, ResponseCacheAdvisor } from '@vernal/client-chat/advisors';
import type { ChatResponse, JsonObject, SignalOptions } from '@vernal/core';
import { CONVERSATION_ID, invalidArgument, SafeObservation, untilAborted } from '@vernal/core';
import type { DeleteResult, VectorStore } from '@vernal/vector-store';
import { advisorsOf } from './resumed-turn.js';
import { SemanticCacheEntries } from './semantic-cache-entries.js';
import { type Lookup, lookupOf, type RequestRules } from './semantic-cache-request.js';
import { failureCode } from './store-failure.js';

type Chain = CallAdvisorChain | StreamAdvisorChain;

/** Where answers are kept, for how long, how like a question must be, and who may be given them. */
export interface SemanticCacheAdvisorOptions extends AdvisorPlace {
  /** Any store that is the cache's alone. Questions and answers are kept in it as they are. */
  readonly vectorStore: VectorStore;
  /**
   * Answers questions that are at least so like the one that was answered, in the scale of the store's metric. Default 0.95 with cosine; with
   * another metric it has to be said.
   */
  readonly similarityThreshold?: number | undefined;
  /** Milliseconds until an answer is too old. Default 3,600,000, one hour; `Infinity` for ever. */
  readonly ttlMs?: number | undefined;
  /**
   * Whose answers these are: nobody is given those of another tenant. A request that it gives no text for is not cached. Default: whoever
   * sends the same params.
   */
  readonly tenant?: ((request: ChatClientRequest) => string | undefined) | undefined;
  /**
   * The names of those params of a request that an answer may depend on. Default: all but the conversation id, for a filter of a retriever
   * may depend on any. A request with one that is not JSON is not cached.
   */
  readonly params?: readonly string[] | undefined;
  /** Also for questions that others stand before: they get an answer only behind the very same messages. Default false: those are not cached. */
  readonly withHistory?: boolean | undefined;
  /** Whether a question that is like enough may have the answer of the other. Default: both have the same numbers, in the same order. */
  readonly accept?: ((question: string, cached: string) => boolean) | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Of which tenant, and until when to wait. */
export interface ClearCacheOptions extends SignalOptions {
  /** Default: everybody's. */
  readonly tenant?: string | undefined;
}

/**
 * Gives an answer that was given before to a question like this one, in the same scope: the same provider and options (model and temperature
 * among them), system text, tool definitions, output format, params, tenant, and the same advisors further in. What is kept, and what an
 * answer from the cache looks like, is as `ResponseCacheAdvisor` has it: whole answers ('stop') without any tool in them; `cached` is true in
 * the metadata, usage is {}; `cacheSimilarity` says how like the questions are. Not looked up are questions with media, behind a history, and
 * those that documents were put around already. A store that fails is a warning, and the model is asked.
 *
 * Two like questions at the same time may both ask the model: the later answer stays.
 *
 * Scope 'turn', order -1000: inside of memory, so that a conversation remembers cached answers; outside of retrieval and guards, so that it
 * sees the user's own words. A guard that has to see every question belongs further out.
 *
 * @example
 * const cache = new SemanticCacheAdvisor({ vectorStore, ttlMs: 600_000, tenant: ({ context }) => tenantOf(context) });
 * Source: Spring AI `SemanticCacheAdvisor`, whose scope is the system text alone, and whose answers never grow old.
 */
export class SemanticCacheAdvisor extends BaseAdvisor {
  readonly name: string = 'SemanticCacheAdvisor';
  readonly #entries: SemanticCacheEntries;
  readonly #rules: RequestRules;

  /** @throws VernalError `invalid_argument` without a store, for a threshold or a time that cannot be, and for a metric without a threshold */
  constructor(options: SemanticCacheAdvisorOptions) {
    super(options, { order: -1000, scope: 'turn' });
    const { vectorStore, ttlMs = 3_600_000, tenant, params, withHistory = false } = options;
    const { accept = hasSameNumbers, now = Date.now } = options;
    if (typeof vectorStore?.similaritySearch !== 'function' || typeof vectorStore.add !== 'function') {
      throw invalidArgument('vectorStore', 'must be a vector store, with similaritySearch, add and delete');
    }
    if (params !== undefined && !Array.isArray(params)) throw invalidArgument('params', 'must be a list of names');
    if (!(ttlMs > 0)) throw invalidArgument('ttlMs', 'must be above 0');
    this.#rules = { withHistory, params, tenant };
    this.#entries = new SemanticCacheEntries({
      vectorStore,
      similarityThreshold: thresholdOf(options),
      ttlMs,
      accept,
      now,
    });
  }

  override async advise(request: ChatClientRequest, inward: Inward, chain: Chain): Promise<ChatClientResponse> {
    const advisors = advisorsOf(chain);
    const further = advisors.slice(advisors.indexOf(this) + 1);
    const lookup = request.run?.resumed === true ? 'no_question' : lookupOf(request, further, this.#rules);
    if (typeof lookup === 'string') {
      const level = lookup === 'retrieval_outside' ? 'warn' : 'debug';
      chain.logger[level]('A question is not looked up in the semantic cache', { reason: lookup });
      tell(request, { outcome: 'skipped', reason: lookup });
      return inward.ask(request);
    }
    // All the rules of an answer are those of the other cache. What it takes for the request has no question and no conversation in it, so
    // that its key is the scope; and its entries are found by the question.
    const { [CONVERSATION_ID]: _, ...context } = request.context;
    const rules = new ResponseCacheAdvisor({
      cache: this.#cacheFor(lookup, request, inward, chain),
      tenant: () => lookup.key,
      singleFlight: false,
    });
    const response = await rules.advise(
      { ...request, prompt: request.prompt.augmentUserMessage(''), context },
      {
        ...inward,
        ask: (asked, filter) => inward.ask({ ...asked, prompt: request.prompt, context: request.context }, filter),
      },
      chain,
    );
    return response.context === context ? { ...response, context: request.context } : response;
  }

  /**
   * Deletes what is too old. Such an answer is never given, and goes when a question comes near it; this is for those that none comes near.
   *
   * @throws VernalError `unsupported_capability` where the store cannot delete by filter; what the store throws
   */
  removeExpired(options: SignalOptions = {}): Promise<DeleteResult> {
    return this.#entries.removeExpired(options);
  }

  /**
   * Deletes everything, or all of a tenant: for when the documents behind the answers have changed.
   *
   * @throws VernalError `unsupported_capability` where the store cannot delete by filter; what the store throws
   */
  clear({ tenant, signal }: ClearCacheOptions = {}): Promise<DeleteResult> {
    return this.#entries.clear(tenant, { signal });
  }

  #cacheFor({ question, tenant }: Lookup, request: ChatClientRequest, inward: Inward, chain: Chain): ResponseCache {
    const entries = this.#entries;
    const harmless = <T>(what: string, work: (waiting: ChatClientRequest) => Promise<T>): Promise<T | undefined> =>
      inward.wait(request, async (waiting) => {
        try {
          return await untilAborted(work(waiting), waiting.signal);
        } catch (error) {
          if (waiting.signal?.aborted === true) return undefined;
          const code = failureCode(error);
          chain.logger.warn(`The semantic cache could not be ${what}`, { code });
          tell(request, { outcome: 'failed', code });
          return undefined;
        }
      });
    return {
      async get(scope): Promise<ChatResponse | undefined> {
        const looked = await harmless('read', async (waiting) => ({
          hit: await entries.find({ question, scope, tenant }, waiting),
        }));
        if (looked === undefined) return undefined;
        if (looked.hit === undefined) {
          tell(request, { outcome: 'miss' });
          return undefined;
        }
        const { response, similarity } = looked.hit;
        tell(request, { outcome: 'hit', similarity });
        return { ...response, metadata: { ...response.metadata, cacheSimilarity: similarity } };
      },
      async set(scope, response): Promise<void> {
        await harmless('written', (waiting) => entries.keep({ question, scope, tenant }, response, waiting));
      },
    };
  }
}

function thresholdOf({ vectorStore, similarityThreshold }: SemanticCacheAdvisorOptions): number {
  if (similarityThreshold === undefined) {
    const { metric } = vectorStore.capabilities;
    if (metric === 'cosine') return 0.95;
    throw invalidArgument('similarityThreshold', `has no default for the metric '${metric}': say one in its scale`);
  }
  if (!Number.isFinite(similarityThreshold)) throw invalidArgument('similarityThreshold', 'must be a finite number');
  return similarityThreshold;
}

/** Models put "order 17" and "order 18" next to each other. */
function hasSameNumbers(question: string, cached: string): boolean {
  return numbersOf(question) === numbersOf(cached);
}

function numbersOf(text: string): string {
  // A minus belongs to a number where no word and no number stands before it: 17-18 has none.
  return (text.normalize('NFKC').match(/(?:(?<![\p{L}\p{N}\p{Pe}])[-−])?\p{N}+/gu) ?? [])
    .join(' ')
    .replaceAll('−', '-');
}

/** On the observation of the advisor. Holds no contents. */
function tell({ observation }: ChatClientRequest, data: JsonObject): void {
  if (observation !== undefined) new SafeObservation(observation).event('semantic_cache', data);
}
