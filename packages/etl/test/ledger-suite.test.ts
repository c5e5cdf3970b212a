import { MemoryIngestLedger } from '@vernal/etl';
import { describeIngestLedger, vitestRunner } from '@vernal/testing';
import * as vitest from 'vitest';

const made = new Map<string, MemoryIngestLedger>();

describeIngestLedger(
  'MemoryIngestLedger',
  ({ namespace, scope }) => {
    // One that ends with its process has nothing to be opened again.
    const key = `${namespace} ${scope}`;
    const subject = made.get(key) ?? new MemoryIngestLedger({ scope });
    made.set(key, subject);
    return { subject };
  },
  { runner: vitestRunner(vitest) },
);
