import { SemanticCacheAdvisor, VectorStoreChatMemoryAdvisor } from '@vernal/advisors-vector-store';
import { ChatClient } from '@vernal/client-chat';
import { ScriptedChatModel, type ScriptStep } from '@vernal/testing';
import type { VectorStore } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';

const OPEN = 'When is the shop in the old town open?';
/** The same words in another order. */
const ALIKE = 'The shop in the old town is open when?';

const NAMES = [
  "' OR conversationId != 'x",
  '"; DROP TABLE vector_store; --',
  'a:b{c}|*@',
  '日本語 👩‍👩‍👧',
  'e\u0301 \u0000',
];

function entriesOf(text: string): string[] {
  return [...text.matchAll(/<memory-entry type="(\w+)"[^>]*>([^<]*)<\/memory-entry>/g)].map(
    ([, type, said]) => `${type}: ${said}`,
  );
}

/** What both advisors need of an engine: filters, deletes by filter and by id, upserts. `open` gives an empty store. */
export function describeOnEngine(name: string, open: () => Promise<VectorStore>): void {
  describe(`long-term memory in ${name}`, () => {
    const remembering = async (steps: readonly ScriptStep[], tenants = false) => {
      const model = new ScriptedChatModel(steps);
      const advisor = new VectorStoreChatMemoryAdvisor({
        vectorStore: await open(),
        ...(tenants && { tenant: ({ context }) => String(context['tenant']) }),
      });
      const client = ChatClient.builder(model).defaultAdvisors(advisor).build();
      const entries = (at: number): string[] => entriesOf(model.prompts[at]?.systemMessage.text ?? '');
      return { advisor, client, entries };
    };

    it('finds what was said in a conversation, in its order, whatever it is called', async () => {
      const { advisor, client, entries } = await remembering(NAMES.flatMap((_, i) => [`so ${i}`, 'ok']).concat('none'));
      let asked = 0;
      for (const [i, id] of NAMES.entries()) {
        await client.prompt(`My word is ${i}`).conversation(id).call().content();
        await client.prompt('What is my word?').conversation(id).call().content();
        asked += 2;
        expect(entries(asked - 1)).toEqual([`user: My word is ${i}`, `assistant: so ${i}`]);
      }
      const [gone = '', kept = ''] = NAMES;
      const { deleted } = await advisor.clear(gone);
      expect(deleted).toBe(4);
      await client.prompt('And what is my word?').conversation(gone).call().content();
      expect(entries(asked)).toEqual([]);
      expect((await advisor.clear(kept)).deleted).toBe(4);
    });

    it('keeps two tenants apart whose conversations have one id', async () => {
      const { advisor, client, entries } = await remembering(['a', 'b', 'c', 'd'], true);
      const as = (tenant: string, text: string) =>
        client
          .prompt(text)
          .conversation('1')
          .advisors((a) => a.param('tenant', tenant))
          .stream()
          .content();
      const read = async (chunks: AsyncIterable<string>): Promise<void> => {
        for await (const _ of chunks);
      };
      await read(as('acme', 'My word is rose'));
      await read(as("acme' OR tenant != 'acme", 'What is my word?'));
      expect(entries(1)).toEqual([]);
      await advisor.clear('1', { tenant: "acme' OR tenant != 'acme" });
      await read(as('acme', 'What is my word?'));
      expect(entries(2)).toEqual(['user: My word is rose', 'assistant: a']);
    });
  });

  describe(`semantic cache in ${name}`, () => {
    const caching = async (steps: readonly ScriptStep[]) => {
      const clock = { time: 1_000 };
      const vectorStore = await open();
      const cache = new SemanticCacheAdvisor({
        vectorStore,
        ttlMs: 100,
        tenant: ({ context }) => String(context['tenant']),
        now: () => clock.time,
      });
      const client = ChatClient.builder(new ScriptedChatModel(steps)).defaultAdvisors(cache).build();
      const as = (tenant: string, question: string) =>
        client
          .prompt(question)
          .advisors((a) => a.param('tenant', tenant))
          .call()
          .chatResponse();
      const text = async (tenant: string, question: string) => (await as(tenant, question)).result?.output.text;
      return { clock, cache, as, text, vectorStore };
    };

    it('answers a question like another of the same tenant, until it is too old', async () => {
      const { clock, as, text, vectorStore } = await caching(['ours', 'theirs', 'ours again']);
      expect([await text('acme', OPEN), await text("x' OR 1 == 1", OPEN)]).toEqual(['ours', 'theirs']);
      const hit = await as('acme', ALIKE);
      expect(hit.result?.output.text).toBe('ours');
      expect(hit.metadata).toMatchObject({ cached: true, usage: {} });
      expect(hit.metadata['cacheSimilarity']).toBeGreaterThanOrEqual(0.95);
      expect(await text("x' OR 1 == 1", ALIKE)).toBe('theirs');
      clock.time += 100;
      expect(await text('acme', ALIKE)).toBe('ours again');
      expect(await text('acme', OPEN)).toBe('ours again');
      // Theirs is too old and was not asked for since; ours was put in anew.
      expect(await vectorStore.similaritySearch({ query: OPEN, topK: 10 })).toHaveLength(2);
    });

    it('deletes what is too old, and all of a tenant', async () => {
      const { clock, cache, text, vectorStore } = await caching(['1', '2', '3']);
      await text('acme', OPEN);
      clock.time += 50;
      await text('acme', 'May dogs come in?');
      await text('other', 'May dogs come in?');
      clock.time += 50;
      expect(await cache.removeExpired()).toEqual({ deleted: 1 });
      expect(await cache.clear({ tenant: 'acme' })).toEqual({ deleted: 1 });
      const left = await vectorStore.similaritySearch({ query: OPEN, topK: 10 });
      expect(left.map((entry) => entry.metadata['semanticCacheTenant'])).toEqual(['other']);
      expect(await cache.clear()).toEqual({ deleted: 1 });
    });
  });
}
