import type {
  AdvisorChain,
  AdvisorPlace,
  AnyAdvisor,
  CallAdvisorChain,
  ChatClientRequest,
  ChatClientResponse,
  Inward,
  StreamAdvisorChain,
} from '@vernal/client-chat';
import { BaseAdvisor } from '@vernal/client-chat';
import type { ChatResponse } from '@vernal/core';
import { invalidArgument, throwIfAborted, untilAborted, VernalError } from '@vernal/core';
import { keepAdvice, ownAdvice } from '../own-advice.js';
import { cacheKey } from './cache-key.js';
import { cacheableAnswer } from './cacheable.js';
import { asCached, cachedResponse, replayed } from './cached-answer.js';
import type { ResponseCache } from './response-cache.js';
import { SharedAnswer } from './shared-answer.js';

type Chain = CallAdvisorChain | StreamAdvisorChain;

/** Where answers are kept, and who may be given them. */
export interface ResponseCacheAdvisorOptions extends AdvisorPlace {
  readonly cache: ResponseCache;
  /** Milliseconds, handed to the cache with every answer. Default: as long as the cache likes. */
  readonly ttlMs?: number | undefined;
  /**
   * Whose answers these are: nobody is given those of another tenant. Needed where answers depend on more than the prompt and the
   * options say, such as what a user may see. A request that it gives no text for is not cached. Default: one tenant.
   */
  readonly tenant?: ((request: ChatClientRequest) => string | undefined) | undefined;
  /** Whether equal requests at the same time share one answer. Never those that have tools. Default true. */
  readonly singleFlight?: boolean | undefined;
}

/**
 * Gives an answer that was given before to the same request: the same provider and options (model, temperature and seed among them),
 * the same messages with their media, tool definitions, output format and tenant. `cached` is true in the metadata of such an answer,
 * and its usage is {}: nothing was spent. Kept are whole answers ('stop') without any tool in them; not those that were cut, refused,
 * aborted, found wanting, or wait for an approval. A cache that fails is a warning, and the model is asked.
 *
 * Equal requests at the same time share one answer, call or stream; it is aborted only when all of them have turned away. A stream that is
 * shared, or may be, is read as fast as the model writes.
 *
 * Scope 'turn', order 1000: inside of memory, guards and retrieval, so that the history and the documents found are part of the key,
 * and a cached answer is guarded and remembered like any other. An advisor further in that looks at more than the request's prompt (one
 * that retrieves by a filter in the context) makes answers differ that the key cannot tell apart: put it further out.
 *
 * @example
 * const cached = new ResponseCacheAdvisor({ cache: new InMemoryResponseCache({ maxEntries: 500 }), ttlMs: 3_600_000 });
 */
export class ResponseCacheAdvisor extends BaseAdvisor {
  readonly name: string = 'ResponseCacheAdvisor';

  /** Throws `invalid_argument` without a cache, and for a time that is not above 0. */
  constructor(options: ResponseCacheAdvisorOptions) {
    super(options, { order: 1000, scope: 'turn' });
    const { cache, ttlMs, tenant, singleFlight = true } = options;
    if (typeof cache?.get !== 'function' || typeof cache.set !== 'function') {
      throw invalidArgument('cache', 'must have get() and set(), as InMemoryResponseCache has');
    }
    if (ttlMs !== undefined && !(ttlMs > 0)) throw invalidArgument('ttlMs', 'must be above 0');
    const shared = new Map<string, SharedAnswer>();

    const find = async (key: string, { signal }: ChatClientRequest, chain: AdvisorChain) => {
      throwIfAborted(signal);
      return untilAborted(
        harmless(() => cache.get(key), 'A response cache could not be read', chain),
        signal,
      );
    };
    const keep = async (
      key: string,
      response: ChatClientResponse,
      signal: AbortSignal | undefined,
      chain: AdvisorChain,
    ): Promise<void> => {
      const answer = cacheableAnswer(response);
      if (answer === undefined) return;
      await untilAborted(
        harmless(() => cache.set(key, answer, ttlMs), 'A response cache could not be written', chain),
        signal,
      );
    };
    const share = (key: string, request: ChatClientRequest, streaming: boolean, chain: Chain): SharedAnswer => {
      const answer = new SharedAnswer(
        (signal) => chunksOf({ ...request, signal }, streaming, chain),
        (response, signal) => keep(key, response, signal, chain),
      );
      const forget = (): void => {
        if (shared.get(key) === answer) shared.delete(key);
      };
      shared.set(key, answer);
      answer.whole.then(forget, forget);
      return answer;
    };

    keepAdvice(this, async (request, inward, chain) => {
      const scope = { tenant: tenant?.(request), byConversation: hasMemoryInside(this, chain) };
      // In plain JavaScript, or by a cast: those who are nobody must not share answers with each other.
      const isNobody = tenant !== undefined && typeof scope.tenant !== 'string';
      const key = isNobody
        ? undefined
        : await harmless(() => cacheKey(request, chain, scope), 'A request cannot be cached', chain);
      if (key === undefined || request.run?.resumed === true) return inward.ask(request);
      const mayShare = singleFlight && !hasTools(request, chain);
      const running = mayShare ? joinable(shared.get(key)) : undefined;
      if (running !== undefined) return join(running, request, inward);
      const found = await find(key, request, chain);
      if (found !== undefined) return cachedResponse(request, found);
      if (!mayShare) {
        const response = await inward.ask(request);
        await keep(key, response, request.signal, chain);
        return response;
      }
      const begun = joinable(shared.get(key));
      if (begun !== undefined) return join(begun, request, inward);
      return read(share(key, request, inward.streaming, chain), request, inward, (chunk) => chunk);
    });
  }

  override advise(
    request: ChatClientRequest,
    inward: Inward,
    chain: CallAdvisorChain | StreamAdvisorChain,
  ): Promise<ChatClientResponse> {
    return ownAdvice(this)(request, inward, chain);
  }
}

/** Undefined, with a warning, when it fails. */
async function harmless<T>(work: () => Promise<T>, warning: string, { logger }: AdvisorChain): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    logger.warn(warning, { code: VernalError.is(error) ? error.code : 'unknown' });
    return undefined;
  }
}

function joinable(answer: SharedAnswer | undefined): SharedAnswer | undefined {
  return answer?.joinable === true ? answer : undefined;
}

/** The answer that somebody else asked for first. */
async function join(answer: SharedAnswer, request: ChatClientRequest, inward: Inward): Promise<ChatClientResponse> {
  const { chatResponse, turn, pendingApproval } = await read(answer, request, inward, asCached);
  return {
    ...(chatResponse === undefined ? { context: request.context } : cachedResponse(request, chatResponse)),
    turn: turn.slice(-1),
    ...(pendingApproval !== undefined && { pendingApproval }),
  };
}

function read(
  answer: SharedAnswer,
  request: ChatClientRequest,
  inward: Inward,
  change: (chunk: ChatResponse) => ChatResponse,
): Promise<ChatClientResponse> {
  return answer.during(async () => {
    if (inward.streaming) await inward.askModel(replayed(answer, change), request);
    return untilAborted(answer.whole, request.signal);
  });
}

async function* chunksOf(
  request: ChatClientRequest,
  streaming: boolean,
  chain: Chain,
): AsyncGenerator<ChatClientResponse, void, undefined> {
  if (streaming && 'nextStream' in chain) yield* chain.nextStream(request);
  else if ('nextCall' in chain) yield await chain.nextCall(request);
}

function hasTools({ prompt: { options } }: ChatClientRequest, { model }: AdvisorChain): boolean {
  const tools = options.tools ?? model?.defaultOptions.tools ?? [];
  const names = options.toolNames ?? model?.defaultOptions.toolNames ?? [];
  return tools.length + names.length > 0;
}

function hasMemoryInside(advisor: AnyAdvisor, chain: Chain): boolean {
  const advisors = 'callAdvisors' in chain ? chain.callAdvisors : chain.streamAdvisors;
  return advisors.slice(advisors.indexOf(advisor) + 1).some(({ role }) => role === 'memory');
}
