import { ConversationConflictError, messageText } from '@vernal/core';
import { check, checkEqual, present, show } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import { notDeclared } from '../kernel/suite-case.js';
import { appendTurns } from './append-turns.js';
import type { MemoryCaseId } from './memory-case-id.js';
import { textsOf } from './repository-reading.js';
import type { RepositoryStage } from './repository-stage.js';
import { numbered } from './sample-messages.js';
import { storedTurns } from './stored-turns.js';

const PROCESS_TURNS = 20;

/** Several who write at the same time. */
export const writerCases: readonly SuiteCase<MemoryCaseId, RepositoryStage>[] = [
  {
    id: 'memory.append.two-writers',
    title: 'two writers both land whole, and do not interleave',
    async run(stage) {
      const writers = [stage.repository, await stage.another()];
      const names = Array.from({ length: 25 }, (_, index) => `w${index}`);
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
      for (const conversation of ['new', 'known']) {
        if (conversation === 'known') await stage.repository.append(conversation, numbered(1));
        const { sequence } = await stage.repository.findByConversationId(conversation);
        const results = await Promise.allSettled(
          [stage.repository, second, stage.repository, second].map((one, index) =>
            one.append(conversation, numbered(1, `try ${index}`), { expectedSequence: sequence }),
          ),
        );
        checkEqual(results.filter((one) => one.status === 'fulfilled').length, 1, `winners in the ${conversation} one`);
        for (const one of results) {
          if (one.status === 'rejected')
            check(ConversationConflictError.is(one.reason), `losers get a conflict, got ${show(one.reason)}`);
        }
        const expected = conversation === 'known' ? 2 : 1;
        checkEqual((await textsOf(stage.repository, conversation)).length, expected, 'messages');
      }
    },
  },
  {
    id: 'memory.append.processes',
    title: 'two processes append to one conversation at once, and both land whole',
    async run({ repository, namespace, otherProcess }) {
      if (otherProcess === undefined) notDeclared('no other process is started');
      const setup = { namespace, conversationId: 'c', turns: PROCESS_TURNS };
      await Promise.all([
        otherProcess({ ...setup, name: 'one' }),
        otherProcess({ ...setup, name: 'two' }),
        appendTurns(repository, { ...setup, name: 'own' }),
      ]);
      const texts = await textsOf(repository, 'c');
      const inOrder = Array.from({ length: PROCESS_TURNS }, (_, turn) => turn);
      for (const name of ['one', 'two', 'own']) checkEqual(storedTurns(texts, name), inOrder, `turns of '${name}'`);
      checkEqual(texts.length, 6 * PROCESS_TURNS, 'messages');
    },
  },
  {
    id: 'memory.save-all.writers',
    title: 'a conversation that is replaced while others append is never a mixture',
    async run(stage) {
      const second = await stage.another();
      await stage.repository.append('c', numbered(4, 'old'));
      await Promise.all([
        appendTurns(second, { conversationId: 'c', name: 'turn', turns: 5 }),
        stage.repository.saveAll('c', numbered(4, 'new')),
      ]);
      const texts = await textsOf(stage.repository, 'c');
      checkEqual(texts.slice(0, 4), numbered(4, 'new').map(messageText), 'the first texts');
      const turns = storedTurns(texts, 'turn');
      checkEqual(texts.length, 4 + 2 * turns.length, 'messages');
      checkEqual(turns, Array.from({ length: 5 }, (_, turn) => turn).slice(5 - turns.length), 'turns after it');
    },
  },
];
