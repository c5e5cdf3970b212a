import type { ApprovalDecisions, PendingApproval } from '@vernal/core';
import type { AdvisorContext } from '../advisors/advisor-request.js';

/** A turn that waited, and what was decided: the tool loop goes on with it in place of the prompt. */
export interface Resumption {
  readonly pending: PendingApproval;
  readonly decisions: ApprovalDecisions;
}

const RESUMPTION = Symbol.for('vernal.client-chat.resumption');

export function withResumption(context: AdvisorContext, resumption: Resumption): AdvisorContext {
  return { ...context, [RESUMPTION]: resumption };
}

/** The resumption, and the context without it: a round further in must not resume again. */
export function takeResumption(
  context: AdvisorContext & { readonly [RESUMPTION]?: Resumption },
): { readonly resumption: Resumption; readonly context: AdvisorContext } | undefined {
  if (!(RESUMPTION in context)) return undefined;
  const { [RESUMPTION]: resumption, ...rest } = context;
  return resumption === undefined ? undefined : { resumption, context: rest };
}
