import { ChatClient, MessageChatMemoryAdvisor } from '@vernal/client-chat';
import { type ChatMemoryRepository, jsonSchema, MessageWindowChatMemory, tool } from '@vernal/core';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';

const book = tool({
  name: 'book_ferry',
  description: 'Books a place on a ferry',
  input: jsonSchema<{ readonly ferry: string }>({
    type: 'object',
    properties: { ferry: { type: 'string' } },
    required: ['ferry'],
    additionalProperties: false,
  }),
  execute: ({ ferry }) => `Booked the ${ferry} under the number F-1740`,
});

const call: ScriptStep = { toolCalls: [{ name: 'book_ferry', arguments: { ferry: '17:40 to Skerry' } }] };

/**
 * What a model would say: it looks for a number in the conversation that it is shown, and remembers nothing by itself. `seen` hears how many
 * messages it was shown.
 */
const answer =
  (seen: (messages: number) => void): ScriptStep =>
  (prompt) => {
    seen(prompt.messages.length);
    const results = prompt.messages.flatMap((one) => (one.type === 'tool' ? one.responses : []));
    const number = /F-\d+/.exec(results.map(({ result }) => result).join(' '))?.[0];
    return number === undefined ? 'You have booked nothing yet.' : `Your number is ${number}.`;
  };

/** A client with a tool and a memory over the repository; one that `'books'` calls the tool first. */
export function travelDesk(
  repository: ChatMemoryRepository,
  role: 'books' | 'answers',
  seen: (messages: number) => void = () => {},
): ChatClient {
  const model = new ScriptedChatModel(role === 'books' ? [call, answer(seen)] : [answer(seen)]);
  const chatMemory = new MessageWindowChatMemory({ repository });
  return ChatClient.builder(model)
    .defaultTools(book)
    .defaultAdvisors(new MessageChatMemoryAdvisor({ chatMemory }))
    .build();
}
