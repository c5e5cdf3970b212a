import type { IngestSource, IngestTarget } from '@vernal/etl';
import type { Redis } from 'ioredis';

export class RedisTarget implements IngestTarget {
  constructor(client: Redis, key: string);
  write: IngestTarget['write'];
  delete: IngestTarget['delete'];
  texts(): Promise<string[]>;
}
export function wordSource(id: string, version?: string): IngestSource;
