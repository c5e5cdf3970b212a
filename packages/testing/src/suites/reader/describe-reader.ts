import type { SuiteOptions } from '../../runner/suite-options.js';
import { defineSuite } from '../kernel/define-suite.js';
import type { ReaderCaseId } from './reader-cases.js';
import { readerCases } from './reader-cases.js';
import type { HostileSample, ReaderFactory, ReaderSample } from './reader-stage.js';
import { readerStage } from './reader-stage.js';

/** Inputs of the reader's own format, beside what every suite takes. */
export interface ReaderSuiteOptions extends SuiteOptions<ReaderCaseId> {
  readonly samples: readonly ReaderSample[];
  /** Broken inputs: each must give documents or a typed error, never anything else, and never hang. */
  readonly hostile?: readonly HostileSample[] | undefined;
  /** Makes a reader that takes no more than a million bytes, or so many in one part of what it streams, for the case of an endless file. */
  readonly limited?: ReaderFactory | undefined;
}

/** Text complete and in order, `stream` = `read`, reading twice, abort, broken and endless inputs. Every case goes over all samples. */
export function describeReader(name: string, create: ReaderFactory, options: ReaderSuiteOptions): void {
  const { samples, hostile = [], limited, ...suite } = options;
  defineSuite({
    suite: 'reader',
    subject: name,
    cases: readerCases,
    create: () => readerStage({ create, limited, samples, hostile }),
    options: suite,
  });
}
