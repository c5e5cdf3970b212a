import type { Collection, WriteConcern, WriteConcernSettings } from 'mongodb';
import { PLAIN_VALUES } from './plain-values.js';

/** What the client says; else a majority of the replica set has the write in its journal before the answer comes. */
export function acknowledged({ writeConcern }: Pick<Collection, 'writeConcern'>): typeof PLAIN_VALUES & {
  readonly writeConcern: WriteConcern | WriteConcernSettings;
} {
  return { ...PLAIN_VALUES, writeConcern: writeConcern ?? { w: 'majority', journal: true } };
}
