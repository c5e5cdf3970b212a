// An answer that was cut short is no order to run tools: nobody knows whether the calls are all, or as they were meant.
import { ChatClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import {
  assistantMessage,
  type ChatModel,
  type ChatResponse,
  chatResponse,
  fold,
  MessageWindowChatMemory,
  Prompt,
  TEXT_ONLY,
  tool,
  withTools,
} from '@vernal/core';
import { describe, expect, it } from 'vitest';

describe.each(['length', 'content_filter'])('calls beside the finish reason %s', (finishReason) => {
  const toolCalls = [{ id: 'c', name: 'remove', arguments: '{}' }];
  const cut = chatResponse([{ output: assistantMessage({ text: 'I will', toolCalls }), metadata: { finishReason } }], {
    usage: { promptTokens: 2, completionTokens: 1 },
  });
  let removed = 0;
  const remove = tool({ name: 'remove', execute: () => void removed++ });
  const model = (): ChatModel => {
    const answers = [cut, chatResponse('again')];
    const next = (): ChatResponse => answers.shift() ?? chatResponse('too often');
    return {
      provider: 'm',
      capabilities: { ...TEXT_ONLY, tools: true },
      defaultOptions: {},
      call: async () => next(),
      async *stream() {
        yield next();
      },
    };
  };
  const expectCut = (response: ChatResponse): void => {
    expect(removed).toBe(0);
    expect(response.result).toMatchObject({ output: { text: 'I will', toolCalls }, metadata: { finishReason } });
    expect(response.metadata.usage).toMatchObject({ promptTokens: 2, completionTokens: 1 });
  };

  it('are not run by a client, and come back', async () => {
    const spec = () => ChatClient.create(model()).prompt('x').tools(remove);
    expectCut(await spec().call().chatResponse());
    expectCut(await fold(spec().stream().chatResponse()));
  });

  it('are not run by a model with tools', async () => {
    const prompt = new Prompt('x', { tools: [remove] });
    expectCut(await withTools(model()).call(prompt));
    expectCut(await fold(withTools(model()).stream(prompt)));
  });

  it('leave a history that can be sent', async () => {
    const chatMemory = new MessageWindowChatMemory();
    const client = ChatClient.builder(model())
      .defaultTools(remove)
      .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory }))
      .build();
    await client.prompt('x').conversation('c').call().content();
    expect(await client.prompt('y').conversation('c').call().content()).toBe('again');
    const kinds = (await chatMemory.get('c')).map(({ type }) => type);
    expect(kinds).toEqual(['user', 'assistant', 'tool', 'user', 'assistant']);
  });
});
