import { messageText, userMessage } from '@vernal/core';
import { check, checkEqual, present } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import type { MemoryCaseId } from './memory-case-id.js';
import { allIds, textsOf } from './repository-reading.js';
import type { RepositoryStage } from './repository-stage.js';
import { MIXED, numbered } from './sample-messages.js';

/** Trimming and deleting. */
export const deleteCases: readonly SuiteCase<MemoryCaseId, RepositoryStage>[] = [
  {
    id: 'memory.delete-before.trims',
    title: 'deleteBefore deletes what is older, and the sequence stays',
    async run({ repository }) {
      await repository.append('c', numbered(5));
      const { sequences, sequence } = await repository.findByConversationId('c');
      await repository.deleteBefore('c', present(sequences[3], 'sequence 3'));
      const left = await repository.findByConversationId('c');
      checkEqual(
        [left.messages.map(messageText), left.sequences, left.sequence],
        [['message 3', 'message 4'], sequences.slice(3), sequence],
        'what is left',
      );
      await repository.deleteBefore('c', sequence + 1);
      checkEqual((await repository.findByConversationId('c')).sequence, sequence, 'sequence with no message left');
      const next = await repository.append('c', [userMessage('next')], { expectedSequence: sequence });
      check(next.sequence > sequence, 'the next sequence must rise');
      await repository.deleteBefore('nobody', 10);
    },
  },
  {
    id: 'memory.delete-before.keep-system',
    title: 'deleteBefore keeps system messages when it is told',
    async run({ repository }) {
      await repository.append('c', MIXED);
      const { sequences } = await repository.findByConversationId('c');
      await repository.deleteBefore('c', present(sequences.at(-1), 'the last sequence'), { keepSystem: true });
      checkEqual(await textsOf(repository, 'c'), ['system 0', 'system 1', 'later 2'], 'texts');
    },
  },
  {
    id: 'memory.delete.conversation',
    title: 'a deleted conversation is gone, others stay, unknown ids are no error',
    async run({ repository }) {
      await repository.append('a', numbered(2));
      await repository.append('b', numbered(1));
      await repository.deleteByConversationId('a');
      await repository.deleteByConversationId('nobody');
      checkEqual([await textsOf(repository, 'a'), await textsOf(repository, 'b')], [[], ['message 0']], 'texts');
      checkEqual(await allIds(repository), ['b'], 'ids');
      await repository.append('a', [userMessage('again')]);
      checkEqual(await textsOf(repository, 'a'), ['again'], 'texts of the new conversation');
    },
  },
  {
    id: 'memory.delete.starts-anew',
    title: 'a deleted conversation stands at 0 again, for whoever expects that',
    async run({ repository }) {
      await repository.append('c', numbered(3));
      await repository.deleteByConversationId('c');
      checkEqual(await repository.findByConversationId('c'), { messages: [], sequences: [], sequence: 0 }, 'the slice');
      await repository.append('c', numbered(1, 'new'), { expectedSequence: 0 });
      checkEqual(await textsOf(repository, 'c'), ['new 0'], 'texts');
    },
  },
  {
    id: 'memory.delete-before.nothing',
    title: 'deleteBefore the first message, or again, deletes nothing; one with no messages left is not listed',
    async run({ repository }) {
      await repository.append('c', numbered(3));
      const { sequences, sequence } = await repository.findByConversationId('c');
      for (const before of [0, present(sequences[0], 'the first sequence')]) await repository.deleteBefore('c', before);
      checkEqual((await textsOf(repository, 'c')).length, 3, 'messages');
      await repository.deleteBefore('c', sequence + 1);
      await repository.deleteBefore('c', sequence + 1);
      checkEqual(await allIds(repository), [], 'ids');
    },
  },
];
