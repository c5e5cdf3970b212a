import { QuestionAnswerAdvisor } from '@vernal/advisors-vector-store';
import { ChatClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import { MessageWindowChatMemory } from '@vernal/core';
import type { Session } from './session.js';

const SYSTEM =
  'You answer questions about the documents that come with them. Answer in the language of the question, and briefly.';
/** Enough for an answer that stands in several places; few enough for a small model. */
const PASSAGES = 8;

/** The client behind ask and chat: answers from the store, if there is one, and remembers the conversation if it is to. */
export function assistant({ model, store, logger }: Session, options: { readonly remembers: boolean }): ChatClient {
  const builder = ChatClient.builder(model, { logger });
  if (options.remembers) {
    const chatMemory = new MessageWindowChatMemory({ logger });
    builder.defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory }));
  }
  if (store !== undefined) {
    const retrieval = new QuestionAnswerAdvisor({
      vectorStore: store,
      searchRequest: { topK: PASSAGES, mode: 'hybrid' },
    });
    builder.defaultSystem(SYSTEM).defaultAdvisors(retrieval);
  }
  return builder.build();
}
