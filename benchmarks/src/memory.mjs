// Writing a message to a conversation, and reading the window of the last 20.
import { assistantMessage, InMemoryChatMemoryRepository, MessageWindowChatMemory, userMessage } from '@vernal/core';
import { compare, each, peer } from './measure.mjs';

const question = userMessage('Hello there');
const answer = assistantMessage('Hi');

/** Alternates between the two sides of a conversation. */
const alternating = (add) => {
  let turn = 0;
  return each(() => add(turn++ % 2 === 0));
};

async function append(langchain) {
  const contestants = {
    'floor: push onto a list': async (count) => {
      const list = [];
      for (let i = 0; i < count; i += 1) list.push(await (i % 2 === 0 ? question : answer));
    },
    'vernal repository.append': (count) => {
      const repository = new InMemoryChatMemoryRepository();
      return alternating((asks) => repository.append('ann', [asks ? question : answer]))(count);
    },
    'vernal window of 20, add and trim': (count) => {
      const memory = new MessageWindowChatMemory({ maxMessages: 20 });
      return alternating((asks) => memory.add('ann', asks ? question : answer))(count);
    },
  };
  if (langchain) {
    contestants['langchain history.addMessage'] = (count) => {
      const history = new langchain.history.InMemoryChatMessageHistory();
      return alternating((asks) => history.addMessage(asks ? langchain.asked : langchain.answered))(count);
    };
  }
  return compare('Memory, one message added', contestants, { operations: 2000 });
}

async function read(langchain) {
  const memory = new MessageWindowChatMemory({ maxMessages: 20 });
  const list = [];
  for (let i = 0; i < 20; i += 1) {
    await memory.add('ann', [question, answer]);
    list.push(question, answer);
  }
  const contestants = {
    'floor: slice of a list': each(async () => list.slice(-20)),
    'vernal window.get': each(() => memory.get('ann')),
  };
  if (langchain) {
    const messages = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? langchain.asked : langchain.answered));
    contestants['langchain trimMessages'] = each(() =>
      langchain.messages.trimMessages(messages, {
        maxTokens: 20,
        strategy: 'last',
        startOn: 'human',
        tokenCounter: (counted) => counted.length,
      }),
    );
  }
  return compare('Memory, window of 20 read', contestants, { operations: 1000 });
}

export async function memory() {
  const history = await peer('@langchain/core/chat_history');
  const messages = await peer('@langchain/core/messages');
  const langchain = history &&
    messages && {
      history,
      messages,
      asked: new messages.HumanMessage('Hello there'),
      answered: new messages.AIMessage('Hi'),
    };
  await append(langchain);
  return read(langchain);
}
