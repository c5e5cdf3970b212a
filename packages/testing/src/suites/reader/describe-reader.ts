import type { DocumentReader, Resource } from '@vernal/core';
import type { SuiteOptions } from '../../runner/suite-options.js';
import { defineSuite } from '../kernel/define-suite.js';
import type { Awaitable, Subject } from '../kernel/subject.js';
import type { ReaderCaseId } from './reader-cases.js';
import { readerCases } from './reader-cases.js';
import type { HostileSample, ReaderSample } from './reader-stage.js';
import { readerStage } from './reader-stage.js';

/** Inputs of the reader's own format, beside what every suite takes. */
export interface ReaderSuiteOptions extends SuiteOptions<ReaderCaseId> {
  readonly samples: readonly ReaderSample[];
  /** Broken inputs: each must give documents or a typed error, never anything else, and never hang. */
  readonly hostile?: readonly HostileSample[] | undefined;
}

/** Text complete and in order, `stream` = `read`, reading twice, abort, broken inputs. Every case goes over all samples. */
export function describeReader(
  name: string,
  create: (resource: Resource) => Awaitable<Subject<DocumentReader>>,
  options: ReaderSuiteOptions,
): void {
  const { samples, hostile = [], ...suite } = options;
  defineSuite({
    suite: 'reader',
    subject: name,
    cases: readerCases,
    create: () => readerStage(create, samples, hostile),
    options: suite,
  });
}
