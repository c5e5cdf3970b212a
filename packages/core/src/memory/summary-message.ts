import type { Message, SystemMessage } from '../messages/message.js';
import { assistantMessage, systemMessage, userMessage } from '../messages/message-factories.js';

/** Metadata key of a stored summary: the sequence of the first message that it does not cover. */
const UNTIL = 'vernal_summary_until';
const QUESTION = 'Summarise our conversation so far.';

/** How a summary is stored: as a system message, because those are found wherever in a conversation they stand. */
export function summaryMessage(text: string, until: number): SystemMessage {
  return systemMessage(text, { metadata: { [UNTIL]: until } });
}

export function isSummary(message: SystemMessage): boolean {
  return untilOf(message) !== undefined;
}

/** Undefined for a system message that is no summary. */
export function untilOf(message: SystemMessage): number | undefined {
  const until = message.metadata[UNTIL];
  return typeof until === 'number' ? until : undefined;
}

/**
 * How a summary is given to the model: as a turn of its own. A system message would be a second one, or be displaced by the
 * application's; strict chat templates refuse the one, and the other loses the summary.
 */
export function summaryTurn(summary: SystemMessage): readonly Message[] {
  return [userMessage(QUESTION), assistantMessage(summary.text)];
}
