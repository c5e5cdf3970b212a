import type { Message } from '@vernal/core';
import { ConversationConflictError, messageEquals, messageText, userMessage } from '@vernal/core';
import { check, checkEqual, present, rejection, rejectsWith, show } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
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
    id: 'memory.append.order-in-one',
    title: 'sixty messages of one moment come back in their order, every time',
    async run({ repository }) {
      for (let round = 0; round < 10; round++) {
        const id = `round ${round}`;
        await repository.saveAll(id, numbered(60));
        const { messages } = await repository.findByConversationId(id);
        checkEqual(messages.map(messageText), numbered(60).map(messageText), `texts of round ${round}`);
      }
    },
  },
  {
    id: 'memory.append.refused',
    title: 'what is no message is refused, and nothing of its list is written',
    async run({ repository }) {
      await repository.append('c', numbered(1));
      const list = [...numbered(2, 'lost'), { type: 'user' } as unknown as Message];
      await rejectsWith(() => repository.append('c', list), 'invalid_argument', 'append');
      await rejectsWith(() => repository.saveAll('c', list), 'invalid_argument', 'saveAll');
      checkEqual((await repository.findByConversationId('c')).messages.map(messageText), ['message 0'], 'texts');
    },
  },
  {
    id: 'memory.append.misuse',
    title: 'what is no list, no options, no option or no sequence is refused by name, and nothing is written',
    async run({ repository }) {
      await repository.append('c', numbered(1));
      type Append = (id: string, messages: unknown, options?: unknown) => Promise<unknown>;
      for (const name of ['append', 'saveAll'] as const) {
        const write = repository[name].bind(repository) as Append;
        const refused = async (messages: unknown, options: unknown, subject: string): Promise<void> => {
          const error = await rejectsWith(() => write('c', messages, options), 'invalid_argument', name);
          checkEqual(error.subject, subject, `the subject of ${name}`);
        };
        for (const messages of [undefined, null, 'text', userMessage('one')]) await refused(messages, {}, 'messages');
        await refused(numbered(1), null, 'options');
        await refused(numbered(1), { expectedSequnce: 1 }, 'expectedSequnce');
        for (const expectedSequence of [1.5, -1, Number.NaN, '1', 1e300])
          await refused(numbered(1), { expectedSequence }, 'expectedSequence');
      }
      type Find = (id: string, options: unknown) => Promise<unknown>;
      const find = repository.findByConversationId.bind(repository) as Find;
      for (const options of [null, 3]) await rejectsWith(() => find('c', options), 'invalid_argument', 'a read');
      checkEqual((await repository.findByConversationId('c')).messages.map(messageText), ['message 0'], 'texts');
    },
  },
  {
    id: 'memory.append.apart',
    title: 'neither what was appended nor what was read leads into the repository',
    async run({ repository }) {
      const metadata: Record<string, string> = { state: 'stored' };
      const list = [userMessage('first', { metadata })];
      await repository.append('c', list);
      metadata['state'] = 'changed';
      list.push(userMessage('late'));
      const read = await repository.findByConversationId('c');
      try {
        (read.messages as Message[]).push(userMessage('pushed'));
      } catch {
        // A frozen list is as good as a copy.
      }
      const { messages } = await repository.findByConversationId('c');
      checkEqual(messages.map(messageText), ['first'], 'texts');
      checkEqual(messages[0]?.metadata, { state: 'stored' }, 'metadata');
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
    id: 'memory.save-all.empty',
    title: 'saving nothing empties the conversation, whose sequence stays; one that never was stays unknown',
    async run({ repository }) {
      const { sequence } = await repository.append('c', numbered(3));
      await repository.saveAll('c', []);
      checkEqual(await repository.findByConversationId('c'), { messages: [], sequences: [], sequence }, 'the slice');
      await repository.saveAll('new', []);
      checkEqual((await repository.findByConversationId('new')).messages, [], 'messages of a new one');
      const saved = await repository.saveAll('fresh', numbered(2), { expectedSequence: 0 });
      checkEqual((await repository.findByConversationId('fresh')).sequence, saved.sequence, 'sequence of a fresh one');
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
];
