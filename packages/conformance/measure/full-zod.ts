// Hello, with memory, advisors, an entity, a streamed entity, and a vector store with a filter.

import { QuestionAnswerAdvisor } from '@vernal/advisors-vector-store';
import { ChatClient, MessageChatMemoryAdvisor, SafeGuardAdvisor } from '@vernal/client-chat';
import type { ChatModel, EmbeddingModel } from '@vernal/core';
import { InMemoryChatMemoryRepository, MessageWindowChatMemory, tool } from '@vernal/core';
import { filter, SimpleVectorStore } from '@vernal/vector-store';
import { z } from 'zod';

declare const model: ChatModel;
declare const embeddingModel: EmbeddingModel;
const Film = z.object({ title: z.string(), year: z.number(), cast: z.array(z.object({ name: z.string() })) });
const weather = tool({
  name: 'weather',
  input: z.object({ location: z.string() }),
  execute: async ({ location }) => location,
});
const films = tool({ name: 'films', input: z.object({ year: z.number() }), execute: ({ year }) => [year] });
const vectorStore = new SimpleVectorStore({ embeddingModel });
const client = ChatClient.builder(model)
  .defaultTools(weather, films)
  .defaultAdvisors(
    new MessageChatMemoryAdvisor({
      chatMemory: new MessageWindowChatMemory({ repository: new InMemoryChatMemoryRepository() }),
    }),
    new SafeGuardAdvisor({ sensitiveWords: ['x'] }),
    new QuestionAnswerAdvisor({ vectorStore, searchRequest: { topK: 6, filterExpression: filter.eq('tenant', 'a') } }),
  )
  .build();
export const film = await client.prompt('A film').conversation('c').call().entity(Film, { validate: true });
const stream = client.prompt('A film').conversation('c').stream().entity(Film);
for await (const partial of stream) partial.cast?.[0]?.name?.trim();
export const whole = await stream.result();
