import { copyConversations, type ForeignConversation, InMemoryChatMemoryRepository, userMessage } from '@vernal/core';
import { expect, it } from 'vitest';

async function* foreign(...conversations: ForeignConversation[]): AsyncIterable<ForeignConversation> {
  yield* conversations;
}

it('copies conversations once, and counts what it did', async () => {
  const to = new InMemoryChatMemoryRepository();
  await to.append('known', [userMessage('own')]);
  const from = (): AsyncIterable<ForeignConversation> =>
    foreign(
      { conversationId: 'a', messages: [userMessage('1'), userMessage('2')], skipped: 1 },
      { conversationId: 'known', messages: [userMessage('3')] },
      { conversationId: 'empty', messages: [], skipped: 2 },
    );
  expect(await copyConversations(from(), to)).toEqual({ conversations: 1, messages: 2, skipped: 3, existing: 1 });
  expect(await copyConversations(from(), to)).toEqual({ conversations: 0, messages: 0, skipped: 3, existing: 2 });
  expect((await to.findByConversationId('a')).messages).toEqual([userMessage('1'), userMessage('2')]);
  expect((await to.findByConversationId('known')).messages).toEqual([userMessage('own')]);
});

it('ends with the signal, and with what the repository throws', async () => {
  const to = new InMemoryChatMemoryRepository();
  const from = foreign({ conversationId: 'a', messages: [userMessage('1')] });
  await expect(copyConversations(from, to, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
  const blank = foreign({ conversationId: ' ', messages: [userMessage('1')] });
  await expect(copyConversations(blank, to)).rejects.toMatchObject({ code: 'missing_conversation_id' });
});
