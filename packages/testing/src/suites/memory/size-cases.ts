import { messageText, userMessage } from '@vernal/core';
import { check, checkEqual, present } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { MemoryCaseId } from './memory-case-id.js';
import { allIds, textsOf } from './repository-reading.js';
import type { RepositoryStage } from './repository-stage.js';
import { numbered } from './sample-messages.js';

const MANY = 10_000;
const LARGE = 5_000_000;
const CONVERSATIONS = 120;

/** Long conversations, large messages, many conversations, and what they cost. */
export const sizeCases: readonly SuiteCase<MemoryCaseId, RepositoryStage>[] = [
  {
    id: 'memory.append.cost',
    title: 'appending to a long conversation costs what it costs for an empty one',
    async run({ repository, commands }) {
      if (commands === undefined) notDeclared('commands are not counted');
      await repository.append('warm', [userMessage('up')]);
      commands();
      await repository.append('c', [userMessage('first')]);
      const first = commands();
      check(first > 0, 'commands must be counted');
      await repository.append('c', numbered(200));
      commands();
      await repository.append('c', [userMessage('last')]);
      checkEqual(commands(), first, 'commands of an append to a long conversation');
    },
  },
  {
    id: 'memory.turn.cost',
    title: 'a turn of a conversation of 10,000 messages costs what it costs in one of 20',
    async run({ repository, commands }) {
      if (commands === undefined) notDeclared('commands are not counted');
      const turn = async (conversation: string): Promise<number> => {
        commands();
        const { sequences } = await repository.findByConversationId(conversation, { last: 20, includeSystem: true });
        await repository.append(conversation, numbered(2, 'turn'));
        await repository.deleteBefore(conversation, present(sequences[0], 'the first sequence'), { keepSystem: true });
        return commands();
      };
      // Nothing is deleted by the second turn of either: what a trim deletes once is the price of what was appended.
      await repository.append('short', numbered(20));
      await repository.append('long', numbered(MANY));
      await turn('short');
      const short = await turn('short');
      const { sequences } = await repository.findByConversationId('long', { last: 20 });
      check(sequences.length === 20, 'the newest twenty must be there');
      commands();
      await repository.findByConversationId('long', { last: 20, includeSystem: true });
      await repository.append('long', numbered(2, 'turn'));
      const long = commands();
      check(long <= short, `a turn must cost at most ${short}, and cost ${long}`);
    },
  },
  {
    id: 'memory.append.many',
    title: '10,000 messages land in one go, are read from the newest end, paged back and trimmed',
    async run({ repository }) {
      const { sequence } = await repository.append('c', numbered(MANY));
      const newest = await repository.findByConversationId('c', { last: 2 });
      checkEqual(newest.messages.map(messageText), [`message ${MANY - 2}`, `message ${MANY - 1}`], 'the newest');
      checkEqual([newest.sequence, newest.sequences[1]], [sequence, sequence], 'sequence');
      const texts: string[] = [];
      for (let before: number | undefined; ; ) {
        const page = await repository.findByConversationId('c', { last: 3000, before });
        if (page.messages.length === 0) break;
        texts.unshift(...page.messages.map(messageText));
        before = page.sequences[0];
      }
      check(
        texts.length === MANY && texts.every((text, index) => text === `message ${index}`),
        'paging back must give every message once, in order',
      );
      await repository.deleteBefore('c', present(newest.sequences[0], 'a sequence'));
      checkEqual(await textsOf(repository, 'c'), newest.messages.map(messageText), 'texts after the trim');
    },
  },
  {
    id: 'memory.text.large',
    title: 'a message of five million characters comes back equal',
    async run({ repository }) {
      const text = '0123456789abcdé€'.repeat(LARGE / 16);
      await repository.append('c', [userMessage(text), userMessage('small')]);
      const { messages } = await repository.findByConversationId('c');
      check(messages.length === 2 && messageText(present(messages[0], 'message')) === text, 'the text must be equal');
    },
  },
  {
    id: 'memory.ids.many',
    title: 'every conversation is listed once, and whoever has enough may leave',
    async run({ repository }) {
      const ids = Array.from({ length: CONVERSATIONS }, (_, index) => `conversation ${index}`);
      for (let start = 0; start < ids.length; start += 20)
        await Promise.all(ids.slice(start, start + 20).map((id) => repository.append(id, [userMessage(id)])));
      checkEqual(await allIds(repository), ids.toSorted(), 'ids');
      const some: string[] = [];
      for await (const id of repository.findConversationIds()) {
        some.push(id);
        if (some.length === 3) break;
      }
      checkEqual(some.length, 3, 'ids of a loop that was left');
    },
  },
];
