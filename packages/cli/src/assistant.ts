import { QuestionAnswerAdvisor } from '@vernal/advisors-vector-store';
import { ChatClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import { type ChatModel, type Logger, MessageWindowChatMemory } from '@vernal/core';
import type { VectorStoreRetriever } from '@vernal/vector-store';

const SYSTEM =
  'You answer questions about the documents that come with them. Answer in the language of the question, briefly, and name the documents that you used as [1], [2].';
/** Enough for an answer that stands in several places; few enough for a small model. */
const PASSAGES = 8;

/** The client behind ask and chat: answers from the store, and remembers the conversation if it is to. */
export function assistant(
  model: ChatModel,
  vectorStore: VectorStoreRetriever,
  options: { readonly remembers: boolean; readonly logger?: Logger | undefined },
): ChatClient {
  const retrieval = new QuestionAnswerAdvisor({ vectorStore, searchRequest: { topK: PASSAGES } });
  const memory = options.remembers ? [new MessageChatMemoryAdvisor({ chatMemory: new MessageWindowChatMemory() })] : [];
  return ChatClient.builder(model, { logger: options.logger })
    .defaultSystem(SYSTEM)
    .defaultAdvisors(...memory, retrieval)
    .build();
}
