import { chatResponse, TEXT_ONLY, type ChatModel } from '@vernal/core';
import { ChatClient } from '@vernal/client-chat';
import { expect, it } from 'vitest';

const echo: ChatModel = {
  provider: 'echo', capabilities: TEXT_ONLY, defaultOptions: {},
  call: async (prompt) => chatResponse(prompt.userMessage.text),
  async *stream(prompt) { for (const w of prompt.userMessage.text.split(' ')) yield chatResponse(w); },
};
it('smoke', async () => {
  const client = ChatClient.create(echo);
  expect(await client.prompt('hi there').call().content()).toBe('hi there');
  const out: string[] = [];
  for await (const t of client.prompt('hi there').stream().content()) out.push(t);
  expect(out).toEqual(['hi', 'there']);
  const chunks = [];
  for await (const t of client.prompt('hi there').stream().chatClientResponse()) chunks.push(t);
  console.log(JSON.stringify(chunks));
});
