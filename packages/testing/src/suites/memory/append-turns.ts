import { assistantMessage, type ChatMemoryRepository, userMessage } from '@vernal/core';

/** Which turns are appended. */
export interface AppendTurnsOptions {
  readonly conversationId: string;
  /** How the messages begin. */
  readonly name: string;
  /** Default no end. */
  readonly turns?: number | undefined;
  /** Called when a turn is stored. */
  readonly stored?: ((turn: number) => void) | undefined;
}

/**
 * Appends turns of two messages, `NAME user 0` and `NAME assistant 0` and so on, one after the other. The suites count on these texts: a
 * program that a suite has run in another process calls this one.
 */
export async function appendTurns(repository: ChatMemoryRepository, options: AppendTurnsOptions): Promise<void> {
  const { conversationId, name, turns = Number.POSITIVE_INFINITY, stored } = options;
  for (let turn = 0; turn < turns; turn++) {
    const messages = [userMessage(`${name} user ${turn}`), assistantMessage(`${name} assistant ${turn}`)];
    await repository.append(conversationId, messages);
    stored?.(turn);
  }
}
