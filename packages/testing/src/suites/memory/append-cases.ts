import { ConversationConflictError, messageEquals, messageText, userMessage } from '@vernal/core';
import { check, checkEqual, present, rejection, rejectsWith, show } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { MemoryCaseId } from './memory-case-id.js';
import type { RepositoryStage } from './repository-stage.js';
import { EVERY_KIND, numbered } from './sample-messages.js';

/** Writing. */
export const appendCases: readonly SuiteCase<MemoryCaseId, RepositoryStage>[] = [
  {
    id: 'memory.append.round-trip',
    title: 'messages of every kind come back equal: tool calls, media, reasoning and metadata',
    async run({ repository }) {
      await repository.append('c', EVERY_KIND);
      const { messages } = await repository.findByConversationId('c');
      checkEqual(messages.length, EVERY_KIND.length, 'messages');
      for (const [index, message] of EVERY_KIND.entries()) {
        const found = present(messages[index], `message ${index}`);
        check(messageEquals(found, message), `message ${index}: expected ${show(message)}, got ${show(found)}`);
      }
    },
  },
  {
    id: 'memory.append.order',
    title: 'messages saved in one go keep their order, sequences rise, the last one is the sequence',
    async run({ repository }) {
      const first = await repository.append('c', numbered(30));
      const second = await repository.append('c', numbered(3, 'later'));
      const { messages, sequences, sequence } = await repository.findByConversationId('c');
      checkEqual(messages.map(messageText), [...numbered(30), ...numbered(3, 'later')].map(messageText), 'texts');
      checkEqual(sequences.length, 33, 'sequences');
      check(
        sequences.every((value, index) => index === 0 || value > (sequences[index - 1] ?? value)),
        'sequences must rise',
      );
      checkEqual(
        [sequences[29], sequences[32], sequence],
        [first.sequence, second.sequence, second.sequence],
        'sequences',
      );
    },
  },
  {
    id: 'memory.append.empty',
    title: 'appending nothing changes nothing and gives the sequence',
    async run({ repository }) {
      checkEqual((await repository.append('c', [])).sequence, 0, 'sequence of a conversation that never was');
      const { sequence } = await repository.append('c', numbered(2));
      checkEqual((await repository.append('c', [])).sequence, sequence, 'sequence');
      checkEqual((await repository.findByConversationId('c')).messages.length, 2, 'messages');
    },
  },
  {
    id: 'memory.append.expected',
    title: 'a writer who expects another sequence gets a conflict, and nothing is written',
    async run({ repository }) {
      const { sequence } = await repository.append('c', numbered(1), { expectedSequence: 0 });
      await repository.append('c', numbered(1, 'second'), { expectedSequence: sequence });
      const error = await rejection(
        () => repository.append('c', numbered(1, 'lost'), { expectedSequence: sequence }),
        'append',
      );
      check(ConversationConflictError.is(error), `it must be a ConversationConflictError, got ${show(error)}`);
      const { messages, sequence: actual } = await repository.findByConversationId('c');
      checkEqual(
        [error.conversationId, error.expectedSequence, error.actualSequence],
        ['c', sequence, actual],
        'the conflict',
      );
      checkEqual(messages.map(messageText), ['message 0', 'second 0'], 'texts');
    },
  },
  {
    id: 'memory.append.two-writers',
    title: 'two writers both land whole, and do not interleave',
    async run(stage) {
      const writers = [stage.repository, await stage.another()];
      const names = Array.from({ length: 12 }, (_, index) => `w${index}`);
      await Promise.all(
        names.map((name, index) => present(writers[index % 2], 'writer').append('c', numbered(3, name))),
      );
      const texts = (await stage.repository.findByConversationId('c')).messages.map(messageText);
      checkEqual(
        texts.toSorted(),
        names
          .flatMap((name) => numbered(3, name))
          .map(messageText)
          .toSorted(),
        'texts',
      );
      for (let index = 0; index < texts.length; index += 3) {
        const name = texts[index]?.split(' ')[0] ?? '';
        checkEqual(
          texts.slice(index, index + 3),
          numbered(3, name).map(messageText),
          `messages ${index} to ${index + 2}`,
        );
      }
    },
  },
  {
    id: 'memory.append.one-winner',
    title: 'of two writers who expect the same sequence one wins',
    async run(stage) {
      const second = await stage.another();
      const { sequence } = await stage.repository.append('c', numbered(1));
      const results = await Promise.allSettled(
        [stage.repository, second, stage.repository, second].map((one, index) =>
          one.append('c', numbered(1, `try ${index}`), { expectedSequence: sequence }),
        ),
      );
      checkEqual(results.filter((one) => one.status === 'fulfilled').length, 1, 'winners');
      for (const one of results) {
        if (one.status === 'rejected')
          check(ConversationConflictError.is(one.reason), `losers get a conflict, got ${show(one.reason)}`);
      }
      checkEqual((await stage.repository.findByConversationId('c')).messages.length, 2, 'messages');
    },
  },
  {
    id: 'memory.save-all.replaces',
    title: 'saveAll replaces the conversation, and sequences go on rising',
    async run({ repository }) {
      const { sequence } = await repository.append('c', numbered(3));
      const saved = await repository.saveAll('c', numbered(2, 'new'), { expectedSequence: sequence });
      const found = await repository.findByConversationId('c');
      checkEqual(found.messages.map(messageText), ['new 0', 'new 1'], 'texts');
      check(
        found.sequences.every((value) => value > sequence),
        `sequences ${found.sequences.join(', ')} must be above ${sequence}`,
      );
      checkEqual([found.sequence, found.sequences.at(-1)], [saved.sequence, saved.sequence], 'sequence');
      const error = await rejection(() => repository.saveAll('c', [], { expectedSequence: sequence }), 'saveAll');
      check(ConversationConflictError.is(error), `it must be a ConversationConflictError, got ${show(error)}`);
      checkEqual((await repository.findByConversationId('c')).messages.length, 2, 'messages after the conflict');
    },
  },
  {
    id: 'memory.append.abort',
    title: "a signal that has fired already gives 'aborted' and writes nothing",
    async run({ repository }) {
      await repository.append('c', numbered(1));
      const options = { signal: AbortSignal.abort() };
      await rejectsWith(() => repository.append('c', numbered(1), options), 'aborted', 'append');
      await rejectsWith(() => repository.saveAll('c', [], options), 'aborted', 'saveAll');
      await rejectsWith(() => repository.findByConversationId('c', options), 'aborted', 'findByConversationId');
      await rejectsWith(() => repository.deleteByConversationId('c', options), 'aborted', 'deleteByConversationId');
      await rejectsWith(() => repository.deleteBefore('c', 1000, options), 'aborted', 'deleteBefore');
      checkEqual((await repository.findByConversationId('c')).messages.map(messageText), ['message 0'], 'texts');
    },
  },
  {
    id: 'memory.append.cost',
    title: 'appending to a long conversation costs what it costs for an empty one',
    async run({ repository, commands }) {
      if (commands === undefined) notDeclared('commands are not counted');
      await repository.append('warm', [userMessage('up')]);
      commands();
      await repository.append('c', [userMessage('first')]);
      const first = commands();
      await repository.append('c', numbered(200));
      commands();
      await repository.append('c', [userMessage('last')]);
      checkEqual(commands(), first, 'commands of an append to a long conversation');
    },
  },
];
