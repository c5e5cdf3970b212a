// What users of advisors and memory write. It compiles, and that is the test; nothing here runs.
import { BaseAdvisor, ChatClient, DEFAULT_TOOL_CALLING_ORDER, MessageChatMemoryAdvisor, SafeGuardAdvisor, SimpleLoggerAdvisor, StructuredOutputValidationAdvisor, withRequest, withResponse } from '@vernal/client-chat';
import { BudgetAdvisor, EvaluateAndRepeatAdvisor, FallbackAdvisor, InMemoryResponseCache, RateLimitAdvisor, RedactionAdvisor, ResponseCacheAdvisor, RetryAdvisor, UsageAccumulator, redactionPatterns } from '@vernal/client-chat/advisors';
import type { Judgement, RateLimitClock, RedactionPattern, ResponseCache } from '@vernal/client-chat/advisors';
import type { AdvisorChain, CallAdvisor, CallAdvisorChain, ChatClientRequest, ChatClientResponse, ChunkFilter, Inward, StreamAdvisor, StreamAdvisorChain } from '@vernal/client-chat';
import { CONVERSATION_ID, InMemoryChatMemoryRepository, MessageWindowChatMemory, Prompt, chatResponse, contextKey, contextValue, decodeResponse, encodeResponse, responseText, systemMessage, userMessage } from '@vernal/core';
import type { ChatResponse } from '@vernal/core';
import { model, smallModel, logger, Film } from './samples.js';

// 15. Advisors: before and after; both faces; call only; one that asks again; a typed context key of one's own.
const AUDIT_ID = contextKey<number>('audit_id');
class AuditAdvisor extends BaseAdvisor {
  readonly name = 'audit';
  constructor() { super({ order: 10, scope: 'turn' }); }
  override before(request: ChatClientRequest): ChatClientRequest {
    return withRequest(request, { context: { [AUDIT_ID]: 7 }, prompt: request.prompt.augmentSystemMessage((m) => systemMessage(`${m.text}\nBe careful.`)) });
  }
  override async after(response: ChatClientResponse, chain: AdvisorChain): Promise<ChatClientResponse> {
    const id: number | undefined = contextValue(response.context, AUDIT_ID);
    chain.logger.debug('done', { id, messages: response.turn.length });
    return withResponse(response, { context: { audited: true } });
  }
}
class TimingAdvisor implements CallAdvisor, StreamAdvisor {
  readonly name = 'timing';
  readonly order = DEFAULT_TOOL_CALLING_ORDER + 1;
  async adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    const start = performance.now();
    try { return await chain.nextCall(request); } finally { logger.info('ms', { took: performance.now() - start }); }
  }
  async *adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): AsyncIterable<ChatClientResponse> {
    for await (const chunk of chain.nextStream(request)) yield chunk;
  }
}
const block: CallAdvisor = {
  name: 'block', order: 0, scope: 'turn',
  adviseCall: async (request, chain) =>
    request.prompt.contents.includes('secret')
      ? { chatResponse: chatResponse([{ text: 'No.', metadata: { finishReason: 'blocked' } }]), context: request.context, turn: [] }
      : chain.nextCall(request),
};
class AskAgain implements CallAdvisor {
  readonly name = 'ask-again';
  readonly order = 100;
  async adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    const first = await chain.nextCall(request);
    if (first.chatResponse?.result?.output.text !== '') return first;
    return chain.copy(this).nextCall(withRequest(request, { prompt: request.prompt.augmentUserMessage('Please answer.') }));
  }
}
export const advised = () =>
  ChatClient.builder(model)
    .defaultAdvisors(new AuditAdvisor(), new TimingAdvisor(), block, new AskAgain(), new SafeGuardAdvisor({ sensitiveWords: ['bomb'] }), new SimpleLoggerAdvisor({ logger, order: 5, scope: 'round' }))
    .defaultAdvisors((a) => a.advisors(new StructuredOutputValidationAdvisor({ schema: Film })).param(AUDIT_ID, 1).param('anything', { x: 1 }))
    .build()
    .prompt('hi').advisors(new FallbackAdvisor({ models: [{ model: smallModel, options: { model: 'small' } }] })).call().content();

// 14. Memory: a window over a repository, per conversation.
export async function memory(): Promise<string> {
  const chatMemory = new MessageWindowChatMemory({ repository: new InMemoryChatMemoryRepository(), maxMessages: 20 });
  const client = ChatClient.builder(model).defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory })).build();
  await client.prompt('I am Ann').conversation('ann-1').call().content();
  return client.prompt('Who am I?').advisors((a) => a.param(CONVERSATION_ID, 'ann-1')).call().content();
}
export async function memoryWithoutClient(): Promise<void> {
  const chatMemory = new MessageWindowChatMemory();
  await chatMemory.add('ann-1', userMessage('hi'));
  const response = await model.call(new Prompt(await chatMemory.get('ann-1')));
  if (response.result) await chatMemory.add('ann-1', response.result.output);
}

// 15b. One logic for call and stream, with the usage of all it asked for; state of a turn by its run.
const withhold: ChunkFilter = { pass: () => undefined };
class SecondOpinion extends BaseAdvisor {
  readonly name = 'second-opinion';
  readonly seen = new WeakSet<object>();
  override async advise(request: ChatClientRequest, inward: Inward, chain: AdvisorChain): Promise<ChatClientResponse> {
    if (request.run === undefined || this.seen.has(request.run) || request.run.resumed) return inward.ask(request);
    this.seen.add(request.run);
    const usage = new UsageAccumulator();
    usage.addRoundResponse((await inward.ask(request, withhold)).chatResponse);
    const response = await inward.askModel(smallModel, request);
    usage.addRoundResponse(response.chatResponse);
    chain.logger.debug('asked', { first: chain.model?.provider, tokens: usage.usage.totalTokens });
    return usage.applyAccumulatedUsage(response);
  }
}

// 15c. The second entry: failures, judgement, cache, limits, redaction. A shipped advisor is extended like any other.
class Careful extends RetryAdvisor {
  override readonly name: string = 'careful';
  override before(request: ChatClientRequest): ChatClientRequest { return withRequest(request, { prompt: request.prompt.withOptions({ temperature: 0 }) }); }
}
const judge = async (_: ChatClientRequest, response: ChatResponse): Promise<Judgement> => ({ pass: responseText(response) !== '', feedback: 'say something' });
declare const redis: { get(key: string): Promise<string | null>; set(key: string, text: string, ttlMs?: number): Promise<unknown> };
const shared: ResponseCache = {
  get: async (key) => { const text = await redis.get(key); return text === null ? undefined : decodeResponse(text); },
  set: async (key, response, ttlMs) => { await redis.set(key, encodeResponse(response), ttlMs); },
};
declare const clock: RateLimitClock;
const customer: RedactionPattern = { pattern: /\bK-\d{6}\b/, replacement: '[CUSTOMER]', maxLength: 10 };
export const guarded = () =>
  ChatClient.builder(model)
    .defaultAdvisors(new SecondOpinion(), new Careful({ policy: { maxAttempts: 3 }, change: (request) => request }), new EvaluateAndRepeatAdvisor({ evaluate: judge, maxRepeats: 1 }))
    .defaultAdvisors(new ResponseCacheAdvisor({ cache: shared, ttlMs: 60_000, tenant: (request) => String(request.context['tenant']) }))
    .defaultAdvisors(new ResponseCacheAdvisor({ cache: new InMemoryResponseCache({ maxEntries: 10 }), scope: 'round', singleFlight: false }))
    .defaultAdvisors(new RateLimitAdvisor({ requestsPerMinute: 60, tokensPerMinute: 90_000, maxWaitMs: 5_000, clock }))
    .defaultAdvisors(new BudgetAdvisor({ maxTokens: 50_000, maxCost: 1, cost: ({ totalTokens = 0 }, name) => totalTokens * (name === 'small' ? 1e-7 : 1e-6), onExceeded: 'throw' }))
    .defaultAdvisors(new RedactionAdvisor({ patterns: [redactionPatterns.email, customer], restore: true }))
    .build();
