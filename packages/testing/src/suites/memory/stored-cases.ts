import { encodeMessage, MESSAGE_VERSION, messageEquals, messageText, userMessage } from '@vernal/core';
import { check, checkEqual, present, rejectsWith, show } from '../kernel/assertions.js';
import type { SuiteCase } from '../kernel/suite-case.js';
import { notDeclared } from '../kernel/suite-case.js';
import type { MemoryCaseId } from './memory-case-id.js';
import { textsOf } from './repository-reading.js';
import type { RepositoryStage } from './repository-stage.js';
import { numbered } from './sample-messages.js';
import { VERSION_ONE } from './version-one.js';

/** Replaces the second of three messages of the conversation 'c'. */
async function tampered({ repository, namespace, tamper }: RepositoryStage, message: string): Promise<number> {
  if (tamper === undefined) notDeclared('what is stored is not tampered with');
  await repository.append('other', numbered(1, 'other'));
  await repository.append('c', numbered(3));
  const { sequences } = await repository.findByConversationId('c');
  const sequence = present(sequences[1], 'the second sequence');
  await tamper({ namespace, conversationId: 'c', sequence, message });
  return sequence;
}

/** What is stored by other releases, or was damaged. */
export const storedCases: readonly SuiteCase<MemoryCaseId, RepositoryStage>[] = [
  ...VERSION_ONE.map(
    ({ name, text, message }): SuiteCase<MemoryCaseId, RepositoryStage> => ({
      id: `memory.stored.version-1.${name}`,
      title: `a message of the kind '${name}' as the first release wrote it is read`,
      async run(stage) {
        await tampered(stage, text);
        const { messages } = await stage.repository.findByConversationId('c');
        const found = present(messages[1], 'the message');
        check(messageEquals(found, message), `expected ${show(message)}, got ${show(found)}`);
      },
    }),
  ),
  {
    id: 'memory.stored.newer',
    title: 'a message of a newer release is refused by name, and other conversations are not touched',
    async run(stage) {
      const newer = encodeMessage(userMessage('x')).replace(`"v":${MESSAGE_VERSION}`, '"v":999');
      const sequence = await tampered(stage, newer);
      const error = await rejectsWith(() => stage.repository.findByConversationId('c'), 'message_version', 'reading');
      checkEqual(error.details['sequence'], sequence, 'the sequence in the details');
      checkEqual(await textsOf(stage.repository, 'other'), ['other 0'], 'texts of the other conversation');
    },
  },
  {
    id: 'memory.stored.poisoned',
    title: 'a message that is none is a typed error; the conversation goes on, and is read again once it was trimmed',
    async run(stage) {
      for (const poison of ['{"v":1,"type":"user"}', 'no JSON', '"text"']) {
        await stage.repository.deleteByConversationId('c');
        const sequence = await tampered(stage, poison);
        const error = await rejectsWith(() => stage.repository.findByConversationId('c'), 'store_read', 'reading');
        checkEqual(error.details['sequence'], sequence, 'the sequence in the details');
        check(!error.message.includes('no JSON'), 'the error must not quote what is stored');
        await stage.repository.append('c', numbered(1, 'after'));
        const { messages } = await stage.repository.findByConversationId('c', { last: 2 });
        checkEqual(messages.map(messageText), ['message 2', 'after 0'], 'the newest texts');
        await stage.repository.deleteBefore('c', sequence + 1);
        checkEqual(await textsOf(stage.repository, 'c'), ['message 2', 'after 0'], 'texts after the trim');
      }
    },
  },
];
