import type { RedisMemoryClient } from '@vernal/memory-redis';

/** A client whose commands are counted. */
export interface CountedClient {
  readonly client: RedisMemoryClient;
  /** Since the last call. */
  taken(): number;
}

export function countedClient(client: RedisMemoryClient): CountedClient {
  let count = 0;
  return {
    client: {
      call(command, args) {
        count++;
        return client.call(command, args);
      },
    },
    taken() {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}
