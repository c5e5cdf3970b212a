import type { ChatMemoryRepository, Message } from '@vernal/core';
import { messageText, systemMessage, userMessage } from '@vernal/core';
import { check, checkEqual, present } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import type { MemoryCaseId } from './memory-case-id.js';
import type { RepositoryStage } from './repository-stage.js';
import { numbered } from './sample-messages.js';

/** Ids that differ only in what a careless engine ignores, and some that a query could trip over. */
const IDS = [
  'a',
  'A',
  'ä',
  'a ',
  ' a',
  'a\u0301',
  '1',
  '01',
  "o'hara",
  'a/b',
  'a:b',
  '*',
  '%',
  '_',
  '😀',
  '日本',
  `long-${'x'.repeat(150)}`,
];

async function texts(repository: ChatMemoryRepository, id: string): Promise<string[]> {
  return (await repository.findByConversationId(id)).messages.map(messageText);
}

async function allIds(repository: ChatMemoryRepository): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of repository.findConversationIds()) ids.push(id);
  return ids.toSorted();
}

const MIXED: readonly Message[] = [
  systemMessage('system 0'),
  ...numbered(3),
  systemMessage('system 1'),
  ...numbered(3, 'later'),
];

/** Reading, trimming and deleting. */
export const findCases: readonly SuiteCase<MemoryCaseId, RepositoryStage>[] = [
  {
    id: 'memory.find.unknown',
    title: 'a conversation that never was is empty, at sequence 0',
    async run({ repository }) {
      checkEqual(
        await repository.findByConversationId('nobody'),
        { messages: [], sequences: [], sequence: 0 },
        'the slice',
      );
    },
  },
  {
    id: 'memory.find.last',
    title: '`last` gives the newest, oldest first',
    async run({ repository }) {
      await repository.append('c', numbered(10));
      const all = await repository.findByConversationId('c');
      const { messages, sequences, sequence } = await repository.findByConversationId('c', { last: 3 });
      checkEqual(messages.map(messageText), ['message 7', 'message 8', 'message 9'], 'texts');
      checkEqual([sequences, sequence], [all.sequences.slice(-3), all.sequence], 'sequences');
      checkEqual((await repository.findByConversationId('c', { last: 100 })).messages.length, 10, 'messages for 100');
    },
  },
  {
    id: 'memory.find.before',
    title: '`before` pages back',
    async run({ repository }) {
      await repository.append('c', numbered(10));
      const pages: string[][] = [];
      let before: number | undefined;
      for (;;) {
        const page = await repository.findByConversationId('c', { last: 4, before });
        if (page.messages.length === 0) break;
        pages.push(page.messages.map(messageText));
        before = page.sequences[0];
        check(pages.length <= 10, 'paging back must come to an end');
      }
      checkEqual(
        pages.map((page) => page.length),
        [4, 4, 2],
        'page sizes',
      );
      checkEqual(pages.toReversed().flat(), numbered(10).map(messageText), 'texts');
    },
  },
  {
    id: 'memory.find.include-system',
    title: '`includeSystem` brings the system messages that would fall outside, in their place',
    async run({ repository }) {
      await repository.append('c', MIXED);
      const plain = await repository.findByConversationId('c', { last: 2 });
      checkEqual(plain.messages.map(messageText), ['later 1', 'later 2'], 'texts without');
      const { messages, sequences } = await repository.findByConversationId('c', { last: 2, includeSystem: true });
      checkEqual(messages.map(messageText), ['system 0', 'system 1', 'later 1', 'later 2'], 'texts with');
      checkEqual(
        sequences,
        sequences.toSorted((a, b) => a - b),
        'sequences',
      );
    },
  },
  {
    id: 'memory.find.restart',
    title: 'another repository over the same data reads the same',
    async run(stage) {
      const { sequence } = await stage.repository.append('c', numbered(3));
      const again = await stage.another();
      checkEqual(await again.findByConversationId('c'), await stage.repository.findByConversationId('c'), 'the slice');
      await again.append('c', [userMessage('after')], { expectedSequence: sequence });
      checkEqual((await texts(stage.repository, 'c')).at(-1), 'after', 'the last text');
    },
  },
  {
    id: 'memory.ids.apart',
    title: 'ids that look alike are different conversations',
    async run({ repository }) {
      for (const id of IDS) await repository.append(id, [userMessage(`of ${id}`)]);
      for (const id of IDS) checkEqual(await texts(repository, id), [`of ${id}`], `texts of '${id}'`);
      checkEqual(await allIds(repository), IDS.toSorted(), 'ids');
      await repository.deleteByConversationId('%');
      await repository.deleteByConversationId('a');
      checkEqual(await allIds(repository), IDS.filter((id) => id !== '%' && id !== 'a').toSorted(), 'ids after delete');
    },
  },
  {
    id: 'memory.text.exact',
    title: 'text comes back as it was: U+0000, four-byte characters, line ends, JSON, white space',
    async run({ repository }) {
      const all = [
        'nul\u0000here',
        '😀𝕏',
        ' lead\r\n\ttrail ',
        '{"type":"user"}',
        '',
        "'; DROP TABLE x; --",
        '\u2028',
        'x'.repeat(100_000),
      ];
      await repository.append(
        'c',
        all.map((text) => userMessage(text, { metadata: { text } })),
      );
      const { messages } = await repository.findByConversationId('c');
      for (const [index, text] of all.entries()) {
        const message = present(messages[index], `message ${index}`);
        check(
          messageText(message) === text && message.metadata['text'] === text,
          `text ${index} must come back as it was`,
        );
      }
    },
  },
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
      checkEqual(await texts(repository, 'c'), ['system 0', 'system 1', 'later 2'], 'texts');
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
      checkEqual([await texts(repository, 'a'), await texts(repository, 'b')], [[], ['message 0']], 'texts');
      checkEqual(await allIds(repository), ['b'], 'ids');
      await repository.append('a', [userMessage('again')]);
      checkEqual(await texts(repository, 'a'), ['again'], 'texts of the new conversation');
    },
  },
];
