import { ChatClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import { type ChatMemoryRepository, MessageWindowChatMemory } from '@vernal/core';
import { type Retrieval, simpleRetrieval } from './retrieval/retrieval.js';
import type { Session } from './session.js';

const SYSTEM =
  'You answer questions about the documents that come with them. Answer in the language of the question, and briefly.';

/** The client behind the commands, and how it gets at documents. */
export interface Assistant {
  readonly client: ChatClient;
  /** Undefined without documents. */
  readonly retrieval: Retrieval | undefined;
}

/** Whether it remembers, and where. */
export interface AssistantOptions {
  readonly remembers: boolean;
  /** Default in this process. */
  readonly repository?: ChatMemoryRepository | undefined;
}

/** A client that answers from the store, if there is one, and remembers the conversation if it is to. */
export async function assistant(session: Session, options: AssistantOptions): Promise<Assistant> {
  const { model, logger } = session;
  const builder = ChatClient.builder(model, { logger });
  if (options.remembers) {
    const chatMemory = new MessageWindowChatMemory({ repository: options.repository, logger });
    builder.defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory }));
  }
  const retrieval = await retrievalOf(session, options.remembers);
  if (retrieval !== undefined) builder.defaultSystem(SYSTEM).defaultAdvisors(retrieval.advisor);
  return { client: builder.build(), retrieval };
}

async function retrievalOf(session: Session, remembers: boolean): Promise<Retrieval | undefined> {
  const { store, rag } = session;
  if (store === undefined) return undefined;
  if (rag === 'simple') return simpleRetrieval(store);
  const { advancedRetrieval } = await import('./retrieval/advanced-retrieval.js');
  return await advancedRetrieval(store, session, remembers);
}
