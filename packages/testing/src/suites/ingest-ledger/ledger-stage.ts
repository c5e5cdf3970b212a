import type { IngestLedger } from '@vernal/core';
import type { Awaitable, Subject } from '../kernel/subject.js';

/** Makes the ledger under test; within a case, every one that it makes is over the same data. */
export type CreateIngestLedger = (setup: {
  /** Unique a case. Letters, digits and '_', starts with a letter, at most 40 characters. */
  readonly namespace: string;
  readonly scope: string;
}) => Awaitable<Subject<IngestLedger>>;

/** Ledgers over the same data; the first one is made already, with the scope 'main'. */
export interface LedgerStage {
  readonly ledger: IngestLedger;
  /** A second one, or the same one after a restart. Default scope 'main'. */
  another(scope?: string): Promise<IngestLedger>;
}

export async function ledgerStage(create: CreateIngestLedger, namespace: string): Promise<Subject<LedgerStage>> {
  const made: Subject<IngestLedger>[] = [];
  const another = async (scope = 'main'): Promise<IngestLedger> => {
    const subject = await create({ namespace, scope });
    made.push(subject);
    return subject.subject;
  };
  return {
    subject: { ledger: await another(), another },
    async close() {
      for (const { subject, close } of made) {
        await subject.close();
        await close?.();
      }
    },
  };
}
