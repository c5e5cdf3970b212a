// One call of a chat client with a model in the process: what the framework itself costs.
import { BaseAdvisor, ChatClient } from '@vernal/client-chat';
import { chatResponse, TEXT_ONLY } from '@vernal/core';
import { compare, peer } from './measure.mjs';

export class PassAdvisor extends BaseAdvisor {
  constructor(name) {
    super({ scope: 'turn' });
    this.name = name;
  }
}
export const echo = {
  provider: 'echo',
  capabilities: { ...TEXT_ONLY, tools: true },
  defaultOptions: {},
  call: async (prompt) => chatResponse(prompt.userMessage.text),
  async *stream(prompt) {
    yield chatResponse(prompt.userMessage.text);
  },
};

export async function chatCall() {
  const operations = 2000;
  const bare = ChatClient.create(echo);
  const advised = ChatClient.builder(echo)
    .defaultAdvisors(new PassAdvisor('a'), new PassAdvisor('b'), new PassAdvisor('c'))
    .build();
  const ask = (client) => async () => {
    for (let i = 0; i < operations; i += 1)
      await client.prompt().system('You are terse.').user('Hello').call().content();
  };
  const floorModel = async (messages) => ({ text: messages[1].text, usage: {} });
  const contestants = {
    'floor: an async function': async () => {
      for (let i = 0; i < operations; i += 1) {
        const response = await floorModel([
          { role: 'system', text: 'You are terse.' },
          { role: 'user', text: 'Hello' },
        ]);
        if (response.text !== 'Hello') throw new Error('wrong');
      }
    },
    'vernal, 0 advisors': ask(bare),
    'vernal, 3 advisors': ask(advised),
  };
  const langchain = await peer('@langchain/core/utils/testing');
  const messages = await peer('@langchain/core/messages');
  if (langchain && messages) {
    const model = new langchain.FakeListChatModel({ responses: ['Hello'] });
    contestants['langchain model.invoke'] = async () => {
      for (let i = 0; i < operations; i += 1)
        await model.invoke([new messages.SystemMessage('You are terse.'), new messages.HumanMessage('Hello')]);
    };
  }
  const ai = await peer('ai');
  const aiTest = await peer('ai/test');
  if (ai && aiTest) {
    const Mock = aiTest.MockLanguageModelV3 ?? aiTest.MockLanguageModelV2;
    const model = new Mock({
      doGenerate: async () => ({
        content: [{ type: 'text', text: 'Hello' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
        warnings: [],
      }),
    });
    contestants['ai generateText'] = async () => {
      for (let i = 0; i < operations; i += 1)
        await ai.generateText({ model, system: 'You are terse.', prompt: 'Hello' });
    };
  }
  const rows = await compare('Chat call, model in the process', contestants, { operations });
  const memory = globalThis.gc
    ? await allocated(() => bare.prompt().system('You are terse.').user('Hello').call().content())
    : undefined;
  if (memory !== undefined) console.log(`vernal, 0 advisors: ${memory.toFixed(1)} KB allocated a call`);
  return rows;
}

async function allocated(operation) {
  for (let i = 0; i < 500; i += 1) await operation();
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 500; i += 1) await operation();
  return (process.memoryUsage().heapUsed - before) / 500 / 1024;
}
