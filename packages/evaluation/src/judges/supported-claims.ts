import type { CallContext, Document } from '@vernal/core';
import type { EvaluationResponse, Evaluator, Verdict } from '../evaluator.js';
import { evaluationResponse } from '../evaluator.js';
import { concurrentMap } from '../run/concurrent-map.js';
import type { Spending } from './spending.js';
import { addSpending } from './spending.js';

/** A claim, and whether the documents bear it. */
export interface CheckedClaim {
  readonly claim: string;
  readonly verdict: Verdict;
  readonly reason: string;
}

/** Asks the checker about each claim, some at a time. */
export async function checkClaims(
  claims: readonly string[],
  documents: readonly Document[],
  { checker, concurrency }: { readonly checker: Evaluator; readonly concurrency: number },
  context: CallContext | undefined,
): Promise<Spending & { readonly claims: readonly CheckedClaim[] }> {
  const observation = context?.observation;
  const checked = await concurrentMap(
    claims,
    { concurrency, signal: context?.signal },
    async (claim, _, { signal }) => {
      const { verdict, feedback, usage, model } = await checker.evaluate(
        { response: claim, documents },
        { signal, observation },
      );
      return { claim: { claim, verdict, reason: feedback }, usage: usage ?? {}, model };
    },
  );
  return { claims: checked.map(({ claim }) => claim), ...addSpending(checked) };
}

/** The share of the claims that are supported, of those that could be judged. */
export function supportedShare(
  claims: readonly CheckedClaim[],
  passAt: number,
  { usage, model }: Spending,
): EvaluationResponse {
  const count = (verdict: Verdict): number => claims.filter((one) => one.verdict === verdict).length;
  const [supported, unsupported, unclear] = [count('pass'), count('fail'), count('inconclusive')];
  const metadata = {
    claims: claims.map((claim) => ({ ...claim })),
    supported,
    unsupported,
    unclear,
  };
  const feedback = claims
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ claim, verdict }) => `${verdict === 'fail' ? 'not supported' : 'unclear'}: ${claim}`)
    .join('\n');
  const verdict = shareVerdict({ supported, unclear, all: claims.length }, passAt);
  const score = supported / Math.max(supported + unsupported, 1);
  return evaluationResponse({ verdict, score, feedback, metadata, usage, model });
}

/** Decided only if what is unclear could not turn it. */
function shareVerdict(
  { supported, unclear, all }: { readonly supported: number; readonly unclear: number; readonly all: number },
  passAt: number,
): Verdict {
  if (supported / all >= passAt) return 'pass';
  return (supported + unclear) / all < passAt ? 'fail' : 'inconclusive';
}
