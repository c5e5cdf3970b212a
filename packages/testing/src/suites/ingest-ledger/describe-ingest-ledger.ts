import type { SuiteOptions } from '../../runner/suite-options.js';
import { caseName } from '../kernel/case-name.js';
import { defineSuite } from '../kernel/define-suite.js';
import type { IngestLedgerCaseId } from './ledger-cases.js';
import { ledgerCases } from './ledger-cases.js';
import type { CreateIngestLedger } from './ledger-stage.js';
import { ledgerStage } from './ledger-stage.js';

/** Nothing beyond what every suite takes. */
export interface IngestLedgerSuiteOptions extends SuiteOptions<IngestLedgerCaseId> {}

/**
 * Revisions, races, pages, scopes, odd names, restarts, abort. `create` gives a ledger over the same data each time within a case, so that
 * a second writer and a restart can be played.
 */
export function describeIngestLedger(
  name: string,
  create: CreateIngestLedger,
  options: IngestLedgerSuiteOptions,
): void {
  defineSuite({
    suite: 'ingest-ledger',
    subject: name,
    cases: ledgerCases,
    create: (id) => ledgerStage(create, caseName(id)),
    options,
  });
}
