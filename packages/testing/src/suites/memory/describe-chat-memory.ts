import type { ChatMemory, ChatMemoryRepository } from '@vernal/core';
import { InMemoryChatMemoryRepository } from '@vernal/core';
import type { SuiteOptions } from '../../runner/suite-options.js';
import { defineSuite } from '../kernel/define-suite.js';
import type { Awaitable, Subject } from '../kernel/subject.js';
import { chatMemoryCases } from './chat-memory-cases.js';
import type { MemoryCaseId } from './memory-case-id.js';

/** Nothing beyond what every suite takes. */
export interface ChatMemorySuiteOptions extends SuiteOptions<MemoryCaseId> {}

/** What holds for every `ChatMemory`, however it forgets. Give it room for four messages or more; `repository` is a new one each case. */
export function describeChatMemory(
  name: string,
  create: (setup: { readonly repository: ChatMemoryRepository }) => Awaitable<Subject<ChatMemory>>,
  options: ChatMemorySuiteOptions,
): void {
  defineSuite({
    suite: 'memory',
    subject: name,
    cases: chatMemoryCases,
    create: () => create({ repository: new InMemoryChatMemoryRepository() }),
    options,
  });
}
