import { ChatClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import { messageText, tool } from '@vernal/core';
import { RecordingObservationRegistry, ScriptedChatModel } from '@vernal/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const clock = tool({ name: 'clock', description: 'The time', input: z.object({}), execute: () => 'noon' });
const untouched = {
  add: () => Promise.reject(new Error('no memory here')),
  get: () => Promise.reject(new Error('no memory here')),
  clear: () => Promise.reject(new Error('no memory here')),
};

describe('an isolated client', () => {
  it('says nothing of what the client says, and keeps its options', async () => {
    const model = new ScriptedChatModel(['rewritten'], {
      defaultOptions: { tools: [clock], outputSchema: { type: 'object' }, temperature: 0.9 },
    });
    const client = ChatClient.builder(model)
      .defaultSystem('You are a pirate.')
      .defaultUser('Arr {x}')
      .defaultTools(tool({ name: 'other', description: 'Another', input: z.object({}), execute: () => 1 }))
      .defaultOptions({ model: 'small', temperature: 0.7, maxTokens: 50 })
      .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory: untouched }))
      .build();
    expect(await client.isolated().prompt('Rewrite {this}').call().content()).toBe('rewritten');
    const [prompt] = model.prompts;
    expect(prompt?.messages.map((message) => [message.type, messageText(message)])).toEqual([
      ['user', 'Rewrite {this}'],
    ]);
    expect(prompt?.options).toMatchObject({ model: 'small', temperature: 0, maxTokens: 50 });
    expect(prompt?.options.tools ?? []).toEqual([]);
    expect(prompt?.options.outputSchema ?? undefined).toBeUndefined();
  });

  it('takes options over its own, of a model as of a client', async () => {
    const model = new ScriptedChatModel(['a', 'b']);
    await ChatClient.isolated(model, { temperature: null, maxTokens: 9 }).prompt('x').call().content();
    await ChatClient.isolated(ChatClient.create(model), { temperature: 0.2 }).prompt('x').call().content();
    expect(model.prompts.map(({ options }) => options.temperature)).toEqual([null, 0.2]);
    expect(model.prompts[0]?.options.maxTokens).toBe(9);
  });

  it('is observed where the client is', async () => {
    const observationRegistry = new RecordingObservationRegistry();
    const client = ChatClient.create(new ScriptedChatModel(['a']), { observationRegistry });
    await client.isolated().prompt('x').call().content();
    expect(observationRegistry.observations.map(({ kind }) => kind)).toContain('chat_client');
  });

  it('is made of a model or a client and nothing else', () => {
    expect(() => ChatClient.isolated({} as never)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    expect(() => ChatClient.isolated(undefined as never)).toThrow(
      expect.objectContaining({ code: 'invalid_argument' }),
    );
  });
});
