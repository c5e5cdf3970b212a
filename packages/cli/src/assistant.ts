import { QuestionAnswerAdvisor } from '@vernal/advisors-vector-store';
import { ChatClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import { type ChatModel, type Logger, MessageWindowChatMemory } from '@vernal/core';
import type { VectorStoreRetriever } from '@vernal/vector-store';

const SYSTEM =
  'You answer questions about the documents that come with them. Answer in the language of the question, and briefly.';
/** Enough for an answer that stands in several places; few enough for a small model. */
const PASSAGES = 8;

/** The client behind ask and chat: answers from the store, and remembers the conversation if it is to. */
export function assistant(
  model: ChatModel,
  vectorStore: VectorStoreRetriever,
  options: { readonly remembers: boolean; readonly logger: Logger },
): ChatClient {
  const { logger } = options;
  const retrieval = new QuestionAnswerAdvisor({ vectorStore, searchRequest: { topK: PASSAGES } });
  const memory = options.remembers
    ? [new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory({ logger }) })]
    : [];
  return ChatClient.builder(model, { logger })
    .defaultSystem(SYSTEM)
    .defaultAdvisors(...memory, retrieval)
    .build();
}
