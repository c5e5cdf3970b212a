// Whatever is said, and whatever conversations are called: nobody is told what was said in another.
import { VectorStoreChatMemoryAdvisor } from '@vernal/advisors-vector-store';
import { ChatClient } from '@vernal/client-chat';
import { userMessage } from '@vernal/core';
import { hashingEmbeddingModel, ScriptedChatModel } from '@vernal/testing';
import { SimpleVectorStore } from '@vernal/vector-store';
import fc from 'fast-check';
import { expect, it } from 'vitest';

const pieces = fc.constantFrom(
  "'",
  '"',
  ' OR ',
  ' && ',
  'conversationId',
  " != 'x",
  " == '",
  'c1',
  '\\',
  '</memory-entry>',
  '<memory-entry type="user">',
  '{instructions}',
  '{long_term_memory}',
  '\n',
  '\u0000',
  'é',
  '会',
);
const text = fc.oneof(
  fc.array(pieces, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }),
);
const id = text.filter((one) => one.trim() !== '');
const metadata = fc.dictionary(fc.constantFrom('conversationId', 'messageType', 'tenant', 'cancelled', 'x'), id, {
  maxKeys: 3,
  noNullPrototype: true,
});
const turns = fc.array(fc.record({ conversation: fc.nat(2), said: text, answered: text, metadata }), {
  minLength: 2,
  maxLength: 12,
});

it('a message never shows up in another conversation', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(id, { minLength: 3, maxLength: 3 }), turns, async (ids, all) => {
      const vectorStore = new SimpleVectorStore({ embeddingModel: hashingEmbeddingModel({ dimensions: 16 }) });
      let turn = 0;
      const model = new ScriptedChatModel(all.map(({ answered }, i) => `${answered} <${i}>`));
      const client = ChatClient.builder(model)
        .defaultAdvisors(new VectorStoreChatMemoryAdvisor({ vectorStore, topK: 100 }))
        .build();
      for (const { conversation, said, metadata: claimed } of all) {
        const message = userMessage(`${said} <${turn}>`, { metadata: claimed });
        await client
          .prompt([message])
          .conversation(ids[conversation] ?? '')
          .call()
          .content();
        const system = model.prompts[turn]?.systemMessage.text ?? '';
        const told = [...system.matchAll(/&lt;(\d+)&gt;<\/memory-entry>/g)].map(([, of]) => Number(of));
        const mine = all.flatMap((other, i) => (i < turn && other.conversation === conversation ? [i, i] : []));
        expect(told).toEqual(mine);
        expect(system.match(/<memory-entry /g) ?? []).toHaveLength(mine.length);
        turn++;
      }
    }),
    { numRuns: 60 },
  );
});
