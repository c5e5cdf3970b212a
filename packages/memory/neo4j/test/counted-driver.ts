import type { Neo4jMemoryDriver, Neo4jMemoryRecord } from '@vernal/memory-neo4j';

/** A driver whose statements, and whose rows with what stands in their lists, are counted. */
export interface CountedDriver {
  readonly driver: Neo4jMemoryDriver;
  /** Since the last call. */
  taken(): number;
}

export function countedDriver(driver: Neo4jMemoryDriver): CountedDriver {
  let count = 0;
  return {
    driver: {
      session(config) {
        const session = driver.session(config);
        return {
          async run(text, parameters, runConfig) {
            count++;
            const result = await session.run(text, parameters, runConfig);
            for (const record of result.records) count += 1 + listed(record);
            return result;
          },
          close: () => session.close(),
        };
      },
    },
    taken() {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}

function listed(record: Neo4jMemoryRecord & { readonly keys?: readonly string[] }): number {
  const lists = (record.keys ?? []).map((key) => record.get(key)).filter(Array.isArray);
  return lists.reduce((sum, list) => sum + list.length, 0);
}
