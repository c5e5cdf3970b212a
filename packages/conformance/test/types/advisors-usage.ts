// What users of advisors and memory write. It compiles, and that is the test; nothing here runs.
import { BaseAdvisor, ChatClient, DEFAULT_TOOL_CALLING_ORDER, FallbackAdvisor, MessageChatMemoryAdvisor, SafeGuardAdvisor, SimpleLoggerAdvisor, StructuredOutputValidationAdvisor, withRequest, withResponse } from '@vernal/client-chat';
import type { AdvisorChain, CallAdvisor, CallAdvisorChain, ChatClientRequest, ChatClientResponse, StreamAdvisor, StreamAdvisorChain } from '@vernal/client-chat';
import { CONVERSATION_ID, InMemoryChatMemoryRepository, MessageWindowChatMemory, Prompt, chatResponse, contextKey, contextValue, systemMessage, userMessage } from '@vernal/core';
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
