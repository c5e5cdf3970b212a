import { ChatClient, MessageChatMemoryAdvisor, ToolCallingAdvisor } from '@vernal/client-chat';
import { type ChatMemoryRepository, MessageWindowChatMemory, ToolCallingManager } from '@vernal/core';
import type { CliIo } from './cli-io.js';
import type { Confirm } from './mcp/tool-approval.js';
import { type Retrieval, simpleRetrieval } from './retrieval/retrieval.js';
import type { Session } from './session.js';

const SYSTEM =
  'You answer questions about the documents that come with them. Answer in the language of the question, and briefly.';
const TOOLS = ' What the documents do not hold you may find or do with your tools.';

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
  /** Asked before a tool that may destroy something. Default: nobody is there, and it does not run. */
  readonly confirm?: Confirm | undefined;
}

/** A client that answers from the store, if there is one, and remembers the conversation if it is to. */
export async function assistant(session: Session, io: CliIo, options: AssistantOptions): Promise<Assistant> {
  const { model, logger, tools } = session;
  const toolCallingAdvisor = await toolLoop(session, io, options.confirm);
  const builder = ChatClient.builder(model, { logger, toolCallingAdvisor });
  if (tools !== undefined) builder.defaultTools(tools.provider);
  if (options.remembers) {
    const chatMemory = new MessageWindowChatMemory({ repository: options.repository, logger });
    builder.defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory }));
  }
  const retrieval = await retrievalOf(session, options.remembers);
  if (retrieval !== undefined)
    builder.defaultSystem(tools === undefined ? SYSTEM : SYSTEM + TOOLS).defaultAdvisors(retrieval.advisor);
  return { client: builder.build(), retrieval };
}

async function toolLoop(
  session: Session,
  io: CliIo,
  confirm: Confirm | undefined,
): Promise<ToolCallingAdvisor | undefined> {
  const { tools, logger } = session;
  if (tools === undefined) return undefined;
  const { approveTools } = await import('./mcp/tool-approval.js');
  const approve = approveTools(session, tools.allowed, io, confirm);
  return new ToolCallingAdvisor({ manager: new ToolCallingManager({ approve, logger }) });
}

async function retrievalOf(session: Session, remembers: boolean): Promise<Retrieval | undefined> {
  const { store, rag } = session;
  if (store === undefined) return undefined;
  if (rag === 'simple') return simpleRetrieval(store);
  const { advancedRetrieval } = await import('./retrieval/advanced-retrieval.js');
  return await advancedRetrieval(store, session, remembers);
}
