import type { ChatMemoryRepository } from '@vernal/core';
import type { Awaitable, Subject } from '../kernel/subject.js';

/** Makes the repository under test; within a case, every one that it makes is over the same data. */
export type CreateMemoryRepository = (setup: {
  /** Unique a case. Letters, digits and '_', starts with a letter, at most 40 characters. */
  readonly namespace: string;
}) => Awaitable<Subject<ChatMemoryRepository>>;

/** Repositories over the same data; the first one is made already. */
export interface RepositoryStage {
  readonly repository: ChatMemoryRepository;
  /** A second writer, or the same one after a restart. */
  another(): Promise<ChatMemoryRepository>;
  /** Rows or commands since the last call. */
  readonly commands: (() => number) | undefined;
}

export async function repositoryStage(
  create: CreateMemoryRepository,
  namespace: string,
  commands: (() => number) | undefined,
): Promise<Subject<RepositoryStage>> {
  const made: Subject<ChatMemoryRepository>[] = [];
  const another = async (): Promise<ChatMemoryRepository> => {
    const subject = await create({ namespace });
    made.push(subject);
    return subject.subject;
  };
  return {
    subject: { repository: await another(), another, commands },
    async close() {
      for (const subject of made) await subject.close?.();
    },
  };
}
