import { systemMessage, userMessage } from '@vernal/core';
import type { Neo4jMemoryDriver } from '@vernal/memory-neo4j';
import type { Driver, ProfiledPlan } from 'neo4j-driver';
import { expect, it } from 'vitest';
import { describeOnServer } from './server.js';

function hits(plan: ProfiledPlan): number {
  return Number(plan.dbHits) + plan.children.reduce((sum, child) => sum + hits(child), 0);
}

/** A driver that has each statement profiled; `taken` gives the accesses to the store since the last call, of each statement. */
function profiled(driver: Driver): { readonly driver: Neo4jMemoryDriver; taken(): number[] } {
  let found: number[] = [];
  return {
    driver: {
      session(config = {}) {
        const session = driver.session({ ...(config.fetchSize === undefined ? {} : { fetchSize: config.fetchSize }) });
        return {
          async run(text, parameters, runConfig) {
            const isPlanned = /^(?:MATCH|MERGE)/.test(text);
            const result = await session.run(isPlanned ? `PROFILE ${text}` : text, parameters, runConfig);
            if (result.summary.profile) found.push(hits(result.summary.profile));
            return result;
          },
          close: () => session.close(),
        };
      },
    },
    taken() {
      const taken = found;
      found = [];
      return taken;
    },
  };
}

describeOnServer('the accesses of a call to the store', (server) => {
  it('are as many in a conversation of 5,000 messages as in one of 60', { timeout: 180_000 }, async () => {
    const { driver, taken } = profiled(server.driver);
    const repository = server.repository({ driver });
    const costs = async (count: number): Promise<Record<string, number[]>> => {
      const id = `of ${count}`;
      await repository.append(id, [systemMessage('Be terse.')]);
      const { sequence } = await repository.append(
        id,
        Array.from({ length: count }, (_, index) => userMessage(`message ${index}`)),
      );
      taken();
      const found: Record<string, number[]> = {};
      const measure = async (name: string, work: Promise<unknown>): Promise<void> => {
        await work;
        found[name] = taken();
      };
      await measure('append', repository.append(id, [userMessage('x'), userMessage('y')]));
      await measure('expected', repository.append(id, [userMessage('z')], { expectedSequence: sequence + 2 }));
      await measure('last', repository.findByConversationId(id, { last: 20 }));
      await measure('before', repository.findByConversationId(id, { last: 20, before: 40 }));
      await measure('system', repository.findByConversationId(id, { last: 20, includeSystem: true }));
      await measure('none', repository.findByConversationId(id, { last: 0 }));
      await measure('trim', repository.deleteBefore(id, 6));
      await measure('nothing to trim', repository.deleteBefore(id, 6));
      await measure('keep system', repository.deleteBefore(id, 6, { keepSystem: true }));
      return found;
    };
    // Neo4j keeps the relationships of a node in another way from 50 on.
    const short = await costs(60);
    expect(await costs(5000)).toEqual(short);
    for (const [name, one] of Object.entries(short)) expect(one, `statements of ${name}`).toHaveLength(1);
    expect(short['last']?.[0]).toBeLessThan(100);
    expect(short['nothing to trim']?.[0]).toBeLessThan(20);
  });
});
