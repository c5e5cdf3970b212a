import { assistantMessage, chatResponse, media, Prompt, type ToolCallback, ToolCallingManager } from '@vernal/core';
import { expect, it } from 'vitest';

function untyped(name: string, answer: unknown): ToolCallback {
  return {
    definition: { name, description: '', inputSchema: { type: 'object', properties: {} } },
    metadata: { returnDirect: false },
    call: async () => answer as string,
  };
}

it.each([
  ['media that are no list', { text: 'x', media: 'picture' }, { result: 'x' }],
  ['media with holes', { text: 'x', media: [null, 7, {}] }, { result: 'x', media: [] }],
  ['a flag that is none', { text: 'x', isError: 'yes' }, { result: 'x', isError: true }],
  ['nothing', undefined, { result: 'Done' }],
  ['a text that is none', { text: 7 }, { result: '{"text":7}' }],
])('an untyped tool that gives %s costs the other calls nothing', async (_, answer, expected) => {
  const picture = media('image/png', new Uint8Array([1]), { name: 'p' });
  const tools = [untyped('odd', answer), untyped('good', { text: 'y', media: [picture] })];
  const toolCalls = tools.map(({ definition: { name } }) => ({ id: name, name, arguments: '{}' }));
  const prompt = new Prompt('x', { tools });
  const response = chatResponse([{ output: assistantMessage({ toolCalls }) }]);
  const { conversationHistory } = await new ToolCallingManager().executeToolCalls(prompt, response);
  expect(conversationHistory.at(-1)).toMatchObject({
    responses: [
      { id: 'odd', ...expected },
      { id: 'good', result: 'y', media: [picture] },
    ],
  });
});
