import type { ChatMemoryRepository } from '@vernal/core';
import type { Awaitable, Subject } from '../kernel/subject.js';

/** Makes the repository under test; within a case, every one that it makes is over the same data. */
export type CreateMemoryRepository = (setup: {
  /** Unique a case. Letters, digits and '_', starts with a letter, at most 40 characters. */
  readonly namespace: string;
}) => Awaitable<Subject<ChatMemoryRepository>>;

/** A message of a conversation that is stored already, and what is to stand in its place. */
export interface TamperedMessage {
  readonly namespace: string;
  readonly conversationId: string;
  readonly sequence: number;
  /** What `encodeMessage` gives, or would give in another release, or anything else. */
  readonly message: string;
}

/** Turns that another process is to append with `appendTurns`, to a repository over the same data. */
export interface OtherProcessTurns {
  readonly namespace: string;
  readonly conversationId: string;
  /** How its messages begin. */
  readonly name: string;
  readonly turns: number;
}

/** What a case may ask for beyond the repository. */
export interface RepositoryFacilities {
  /** Rows or commands since the last call. */
  readonly commands?: (() => number) | undefined;
  /** Puts a text in the place of a stored message, past the repository. */
  readonly tamper?: ((tampered: TamperedMessage) => Promise<void>) | undefined;
  /** Has another process append turns; resolves when it has ended well. */
  readonly otherProcess?: ((turns: OtherProcessTurns) => Promise<void>) | undefined;
}

/** Repositories over the same data; the first one is made already. */
export interface RepositoryStage extends RepositoryFacilities {
  readonly repository: ChatMemoryRepository;
  readonly namespace: string;
  /** A second writer, or the same one after a restart. */
  another(): Promise<ChatMemoryRepository>;
}

export async function repositoryStage(
  create: CreateMemoryRepository,
  namespace: string,
  facilities: RepositoryFacilities,
): Promise<Subject<RepositoryStage>> {
  const made: Subject<ChatMemoryRepository>[] = [];
  const another = async (): Promise<ChatMemoryRepository> => {
    const subject = await create({ namespace });
    made.push(subject);
    return subject.subject;
  };
  return {
    subject: { ...facilities, repository: await another(), namespace, another },
    async close() {
      for (const subject of made) await subject.close?.();
    },
  };
}
