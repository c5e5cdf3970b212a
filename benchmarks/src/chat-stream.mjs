// What a chunk costs on its way from the model to the loop.
import { ChatClient } from '@vernal/client-chat';
import { chatResponse } from '@vernal/core';
import { echo, PassAdvisor } from './chat-call.mjs';
import { compare, peer } from './measure.mjs';

export async function chatStream() {
  const chunks = 2000;
  const model = {
    ...echo,
    async *stream() {
      for (let i = 0; i < chunks; i += 1) yield chatResponse('word ');
    },
  };
  const prepared = Array.from({ length: chunks }, () => ({ text: 'word ' }));
  const drain = async (iterable) => {
    let count = 0;
    for await (const _ of iterable) count += 1;
    if (count < chunks) throw new Error(`only ${count} chunks`);
  };
  const bare = ChatClient.create(model);
  const advised = ChatClient.builder(model)
    .defaultAdvisors(new PassAdvisor('a'), new PassAdvisor('b'), new PassAdvisor('c'))
    .build();
  const contestants = {
    'floor: an async generator': () =>
      drain(
        (async function* () {
          for (const chunk of prepared) yield chunk.text;
        })(),
      ),
    'the model alone (makes its chunks)': () => drain(model.stream()),
    'vernal content(), 0 advisors': () => drain(bare.prompt('Hello').stream().content()),
    'vernal content(), 3 advisors': () => drain(advised.prompt('Hello').stream().content()),
    'vernal chatResponse(), 0 advisors': () => drain(bare.prompt('Hello').stream().chatResponse()),
  };
  const langchain = await peer('@langchain/core/utils/testing');
  if (langchain) {
    const fake = new langchain.FakeListChatModel({ responses: ['w'.repeat(chunks)] });
    contestants['langchain model.stream'] = async () => drain(await fake.stream('Hello'));
  }
  const ai = await peer('ai');
  const aiTest = await peer('ai/test');
  if (ai && aiTest) {
    const Mock = aiTest.MockLanguageModelV3 ?? aiTest.MockLanguageModelV2;
    const parts = [
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: '1' },
      ...prepared.map(() => ({ type: 'text-delta', id: '1', delta: 'word ' })),
      { type: 'text-end', id: '1' },
      {
        type: 'finish',
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      },
    ];
    const mock = new Mock({
      doStream: async () => ({
        stream: ai.simulateReadableStream({ chunks: parts, initialDelayInMs: null, chunkDelayInMs: null }),
      }),
    });
    contestants['ai streamText'] = async () => drain(ai.streamText({ model: mock, prompt: 'Hello' }).textStream);
  }
  return compare('Stream, per chunk', contestants, { operations: chunks });
}
