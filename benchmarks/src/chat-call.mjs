// One call of a chat client with a model in the process: what the framework itself costs.
import { ChatClient } from '@vernal/client-chat';
import { compare, each, peer } from './measure.mjs';
import { aiModels, echo, passAdvisors } from './models.mjs';

export async function chatCall() {
  const bare = ChatClient.create(echo);
  const advised = ChatClient.builder(echo)
    .defaultAdvisors(...passAdvisors())
    .build();
  const ask = (client) => each(() => client.prompt().system('You are terse.').user('Hello').call().content());
  const floorModel = async (messages) => ({ text: messages[1].text, usage: {} });
  const contestants = {
    'floor: an async function': each(async () => {
      const response = await floorModel([
        { role: 'system', text: 'You are terse.' },
        { role: 'user', text: 'Hello' },
      ]);
      if (response.text !== 'Hello') throw new Error('wrong');
    }),
    'vernal, 0 advisors': ask(bare),
    'vernal, 3 advisors': ask(advised),
  };
  const langchain = await peer('@langchain/core/utils/testing');
  const messages = await peer('@langchain/core/messages');
  if (langchain && messages) {
    const model = new langchain.FakeListChatModel({ responses: ['Hello'] });
    contestants['langchain model.invoke'] = each(() =>
      model.invoke([new messages.SystemMessage('You are terse.'), new messages.HumanMessage('Hello')]),
    );
  }
  const models = await aiModels();
  if (models) {
    const model = models.echo();
    contestants['ai generateText'] = each(() =>
      models.ai.generateText({ model, system: 'You are terse.', prompt: 'Hello' }),
    );
  }
  return compare('Chat call, model in the process', contestants, { operations: 1000 });
}
