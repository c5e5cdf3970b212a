import type { FindMessagesOptions } from '@vernal/core';
import { assistantMessage, messageEquals, messageText, toolResponseMessage, userMessage } from '@vernal/core';
import { check, checkEqual, present, rejectsWith } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import type { MemoryCaseId } from './memory-case-id.js';
import { allIds, textsOf } from './repository-reading.js';
import type { RepositoryStage } from './repository-stage.js';
import { MIXED, numbered } from './sample-messages.js';

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
  `long-${'x'.repeat(5000)}`,
  `long-${'x'.repeat(5000)}y`,
  'line\nend',
  'nul\0in',
  'nul',
  '\ud800',
  '\ud801',
  '\ufffd',
  'json:"a"',
  'sha256-0',
  '{a}',
  '[a-z]*',
  'a\\b',
  '$where',
  '../a',
];

/** Reading. */
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
    id: 'memory.find.range',
    title: '`last` and `before` at their ends; what is no number is refused',
    async run({ repository }) {
      const { sequence } = await repository.append('c', numbered(3));
      const texts = async (options: FindMessagesOptions): Promise<string[]> =>
        (await repository.findByConversationId('c', options)).messages.map(messageText);
      const all = numbered(3).map(messageText);
      checkEqual(await texts({ last: 0 }), [], 'texts for last 0');
      checkEqual((await repository.findByConversationId('c', { last: 0 })).sequence, sequence, 'sequence for last 0');
      checkEqual(await texts({ last: Number.POSITIVE_INFINITY }), all, 'texts for an endless last');
      checkEqual(await texts({ before: 0 }), [], 'texts before 0');
      checkEqual(await texts({ before: Number.MAX_SAFE_INTEGER }), all, 'texts before the end of numbers');
      checkEqual(await texts({ before: sequence, last: 1 }), ['message 1'], 'the last text before the newest');
      checkEqual((await repository.findByConversationId('c', { before: 1 })).sequence, sequence, 'sequence');
      for (const last of [-1, Number.NaN])
        await rejectsWith(() => repository.findByConversationId('c', { last }), 'invalid_argument', `last ${last}`);
    },
  },
  {
    id: 'memory.find.include-system-before',
    title: '`includeSystem` with `before` brings those on both sides',
    async run({ repository }) {
      await repository.append('c', MIXED);
      const { sequences } = await repository.findByConversationId('c');
      const before = present(sequences[3], 'sequence 3');
      const { messages } = await repository.findByConversationId('c', { last: 1, before, includeSystem: true });
      checkEqual(messages.map(messageText), ['system 0', 'message 1', 'system 1'], 'texts');
      const none = await repository.findByConversationId('c', { last: 0, includeSystem: true });
      checkEqual(none.messages.map(messageText), ['system 0', 'system 1'], 'texts for last 0');
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
      checkEqual((await textsOf(stage.repository, 'c')).at(-1), 'after', 'the last text');
    },
  },
  {
    id: 'memory.ids.apart',
    title: 'ids that look alike are different conversations',
    async run({ repository }) {
      for (const id of IDS) await repository.append(id, [userMessage(`of ${id}`)]);
      for (const id of IDS) checkEqual(await textsOf(repository, id), [`of ${id}`], `texts of '${id}'`);
      checkEqual(await allIds(repository), IDS.toSorted(), 'ids');
      await repository.deleteByConversationId('%');
      await repository.deleteByConversationId('a');
      checkEqual(await allIds(repository), IDS.filter((id) => id !== '%' && id !== 'a').toSorted(), 'ids after delete');
    },
  },
  {
    id: 'memory.ids.blank',
    title: 'what is no id is refused by every method',
    async run({ repository }) {
      const messages = numbered(1);
      for (const id of ['', ' ', '\n\t', undefined, null, 0] as unknown as string[]) {
        const refused = (run: () => unknown, what: string): Promise<unknown> =>
          rejectsWith(run, 'missing_conversation_id', `${what} of ${JSON.stringify(id)}`);
        await refused(() => repository.append(id, messages), 'append');
        await refused(() => repository.findByConversationId(id), 'findByConversationId');
        await refused(() => repository.saveAll(id, messages), 'saveAll');
        await refused(() => repository.deleteBefore(id, 1), 'deleteBefore');
        await refused(() => repository.deleteByConversationId(id), 'deleteByConversationId');
      }
      checkEqual(await allIds(repository), [], 'ids');
    },
  },
  {
    id: 'memory.text.odd',
    title: 'U+0000 and half surrogate pairs come back wherever JSON has text',
    async run({ repository }) {
      const odd = 'a\0b\ud800c\udc00';
      const messages = [
        userMessage(odd, { metadata: { [odd]: odd } }),
        assistantMessage({ text: odd, toolCalls: [{ id: odd, name: 'f', arguments: JSON.stringify({ [odd]: odd }) }] }),
        toolResponseMessage([{ id: odd, name: 'f', result: odd, structured: { [odd]: [odd] } }]),
      ];
      await repository.append('c', messages);
      const found = (await repository.findByConversationId('c')).messages;
      for (const [index, message] of messages.entries())
        check(messageEquals(present(found[index], `message ${index}`), message), `message ${index} must be equal`);
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
];
