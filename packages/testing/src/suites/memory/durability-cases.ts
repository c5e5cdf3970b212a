import { messageText, VernalError } from '@vernal/core';
import { check, checkEqual, show } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import { appendTurns } from './append-turns.js';
import type { DurabilityStage } from './durability-stage.js';
import type { MemoryCaseId } from './memory-case-id.js';
import { textsOf } from './repository-reading.js';
import { storedTurns } from './stored-turns.js';

const KILLS = 3;
const MOST_BEFORE_A_KILL = 25;
const WRITERS = ['left', 'right'];

export const durabilityCases: readonly SuiteCase<MemoryCaseId, DurabilityStage>[] = [
  {
    id: 'memory.durability.kill',
    title: 'a kill in the middle of writing loses nothing that was acknowledged and leaves no half turn',
    async run(stage, random) {
      const acknowledged = new Map<string, number>();
      for (let round = 0; round < KILLS; round++) {
        const names = WRITERS.map((writer) => `${writer}${round}`);
        const killAfter = 1 + random.below(MOST_BEFORE_A_KILL);
        await killedIn(stage, names, killAfter, acknowledged);
        const { subject, close } = await stage.open();
        const texts = await textsOf(subject, 'c');
        for (const [name, count] of acknowledged) {
          const turns = storedTurns(texts, name);
          const inOrder = turns.every((turn, index) => turn === index);
          check(inOrder, `turns of ${name} must be in their order, got ${show(turns)}`);
          // What was under way may have landed, too.
          check(turns.length >= count, `${count} turns of ${name} were acknowledged, and ${turns.length} are there`);
          acknowledged.set(name, turns.length);
        }
        const { sequence } = await subject.findByConversationId('c', { last: 1 });
        await appendTurns(subject, { conversationId: 'c', name: `after${round}`, turns: 1 });
        const slice = await subject.findByConversationId('c', { last: 2 });
        checkEqual(
          slice.messages.map(messageText),
          [`after${round} user 0`, `after${round} assistant 0`],
          'texts of a turn after the restart',
        );
        check(
          slice.sequences.every((one) => one > sequence),
          'sequences must go on rising after the restart',
        );
        await close?.();
      }
    },
  },
];

/** Two write to one conversation; the kill comes at an acknowledgement of one of them, when the next turn is under way. */
async function killedIn(
  stage: DurabilityStage,
  names: readonly string[],
  killAfter: number,
  acknowledged: Map<string, number>,
): Promise<void> {
  let total = 0;
  let killed: Promise<void> | undefined;
  for (const name of names) acknowledged.set(name, 0);
  const writers = names.map((name) =>
    stage.write({
      conversationId: 'c',
      name,
      stored: (turn) => {
        acknowledged.set(name, turn + 1);
        total++;
        if (total >= killAfter) killed ??= stage.kill();
      },
    }),
  );
  for (const result of await Promise.allSettled(writers)) {
    if (result.status === 'fulfilled') continue;
    const { reason } = result;
    check(
      VernalError.is(reason) && ['store_write', 'store_read'].includes(reason.code),
      `what was under way must fail with 'store_write' or 'store_read', got ${show(reason)}`,
    );
  }
  check(killed !== undefined, 'the writers must write until they are killed');
  await killed;
}
