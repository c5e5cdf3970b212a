import type { ContextKey } from '@vernal/core';
import { invalidArgument } from '@vernal/core';
import type { AnyAdvisor } from '../advisors/advisor.js';
import type { AdvisorContext } from '../advisors/advisor-request.js';
import { refuseBlank, refuseBlankKeys } from './refuse-blank.js';
import type { AdvisorSource, AdvisorSpec } from './request-specs.js';

/** What `advisors(…)` was given: advisors, or a function that says both advisors and params. */
export type AdvisorChange = readonly AdvisorSource[] | readonly [(spec: AdvisorSpec) => unknown];

export interface AdvisorAddition {
  readonly advisors: readonly AnyAdvisor[];
  readonly context: AdvisorContext;
}

export function additionOf(change: AdvisorChange): AdvisorAddition {
  if (isFunction(change)) {
    const spec = new CollectingSpec();
    change[0](spec);
    return { advisors: checked(spec.added), context: spec.context };
  }
  return { advisors: checked(change.flat()), context: {} };
}

export function withParam(context: AdvisorContext, key: string, value: unknown): AdvisorContext {
  refuseBlank('param', key);
  if (value === undefined || value === null) {
    throw invalidArgument(key, 'an advisor parameter has a value; leave it out where there is none');
  }
  return { ...context, [key]: value };
}

class CollectingSpec implements AdvisorSpec {
  readonly added: AnyAdvisor[] = [];
  context: AdvisorContext = {};

  advisors(...advisors: readonly AdvisorSource[]): this {
    this.added.push(...advisors.flat());
    return this;
  }

  param<T>(key: ContextKey<T>, value: NoInfer<T> & {}): this {
    this.context = withParam(this.context, key, value);
    return this;
  }

  params(values: Readonly<Record<string, {}>>): this {
    refuseBlankKeys('params', values);
    for (const [key, value] of Object.entries(values)) this.context = withParam(this.context, key, value);
    return this;
  }
}

function isFunction(change: AdvisorChange): change is readonly [(spec: AdvisorSpec) => unknown] {
  return typeof change[0] === 'function';
}

function checked(advisors: readonly AnyAdvisor[]): readonly AnyAdvisor[] {
  for (const advisor of advisors) {
    if (typeof advisor !== 'object' || advisor === null)
      throw invalidArgument('advisors', 'takes advisors, or one function');
  }
  return advisors;
}
