import type { Document, DocumentTransformer } from '@vernal/core';
import type { SuiteOptions } from '../../runner/suite-options.js';
import { defineSuite } from '../kernel/define-suite.js';
import type { Awaitable, Subject } from '../kernel/subject.js';
import type { TransformerCaseId } from './transformer-cases.js';
import { transformerCases } from './transformer-cases.js';
import { DEFAULT_SAMPLES } from './transformer-samples.js';

/** Inputs in place of the suite's own, beside what every suite takes. */
export interface TransformerSuiteOptions extends SuiteOptions<TransformerCaseId> {
  /** Lists of documents to transform. Default: short and long texts, many scripts, white space, an empty text. */
  readonly samples?: readonly (readonly Document[])[] | undefined;
}

/** Nothing lost, order, metadata, laziness, abort. A transformer may cut, repeat at the seams and add; it may not drop or reorder text. */
export function describeTransformer(
  name: string,
  create: () => Awaitable<Subject<DocumentTransformer>>,
  options: TransformerSuiteOptions,
): void {
  const { samples = DEFAULT_SAMPLES, ...suite } = options;
  defineSuite({
    suite: 'transformer',
    subject: name,
    cases: transformerCases,
    async create() {
      const made = await create();
      return { subject: { transformer: made.subject, samples }, close: async () => made.close?.() };
    },
    options: suite,
  });
}
