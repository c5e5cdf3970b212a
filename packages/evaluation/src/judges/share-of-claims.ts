import type { CallContext, Document } from '@vernal/core';
import type { EvaluationResponse } from '../evaluator.js';
import { evaluationResponse } from '../evaluator.js';
import type { ClaimSettings } from './claim-evaluator-options.js';
import { claimsOf } from './claims.js';
import { addSpending } from './spending.js';
import { type CheckedClaim, checkClaims, supportedShare } from './supported-claims.js';

/** Takes a text apart and checks what it claims. */
export async function shareOfClaims(
  text: string,
  query: string | undefined,
  documents: readonly Document[],
  settings: ClaimSettings,
  context: CallContext | undefined,
): Promise<EvaluationResponse> {
  if (text.trim() === '') return evaluationResponse({ verdict: 'inconclusive', feedback: 'There is no text.' });
  const { value: claims, ...listing } = await claimsOf(settings.judge, text, query, context);
  if (claims === undefined || claims.length === 0) {
    const feedback = claims === undefined ? 'The list of claims cannot be read.' : 'The text claims nothing.';
    return evaluationResponse({ verdict: 'inconclusive', feedback, ...listing });
  }
  if (documents.length === 0) {
    const unsupported = claims.map(
      (claim): CheckedClaim => ({ claim, verdict: 'fail', reason: 'There is no document.' }),
    );
    return supportedShare(unsupported, settings.passAt, listing);
  }
  const { claims: checked, ...checking } = await checkClaims(claims, documents, settings, context);
  return supportedShare(checked, settings.passAt, addSpending([listing, checking]));
}
