import type { AnyAdvisor, ChatClientRequest } from '@vernal/client-chat';
import { OUTPUT_FORMAT } from '@vernal/client-chat';
import type { JsonValue } from '@vernal/core';
import { CONVERSATION_ID, canonicalJson, isJsonValue } from '@vernal/core';
import { RAG_DOCUMENT_CONTEXT } from '@vernal/rag';
import { QA_RETRIEVED_DOCUMENTS } from './question-answer-advisor.js';

/** Why a question is not looked up. */
export type SkipReason =
  | 'no_question'
  | 'media'
  | 'history'
  | 'memory_inside'
  | 'retrieval_outside'
  | 'tenant'
  | 'params';

/** Which requests are looked up, and what tells them apart beside what the model is sent. */
export interface RequestRules {
  readonly withHistory: boolean;
  readonly params: readonly string[] | undefined;
  readonly tenant: ((request: ChatClientRequest) => string | undefined) | undefined;
}

/** A request that may be answered from the cache. */
export interface Lookup {
  readonly question: string;
  readonly tenant: string | undefined;
  /** Canonical JSON of what tells requests apart beside what the model is sent. */
  readonly key: string;
}

/** What is asked and for whom; or why it is not looked up. `further` are the advisors further in. */
export function lookupOf(
  request: ChatClientRequest,
  further: readonly AnyAdvisor[],
  rules: RequestRules,
): Lookup | SkipReason {
  const { messages } = request.prompt;
  const last = messages.at(-1);
  if (last?.type !== 'user' || last.text.trim() === '') return 'no_question';
  if (last.media.length > 0) return 'media';
  if (!rules.withHistory && messages.some((message) => message !== last && message.type !== 'system')) return 'history';
  if (further.some(({ role }) => role === 'memory')) return 'memory_inside';
  if (wasRetrieved(request)) return 'retrieval_outside';
  // In plain JavaScript, or by a cast: those who are nobody must not share answers with each other.
  const given: unknown = rules.tenant?.(request);
  const tenant = typeof given === 'string' && given !== '' ? given : undefined;
  if (rules.tenant !== undefined && tenant === undefined) return 'tenant';
  const advisors = further.map(({ name }) => name);
  const key = keyOf(request, rules, tenant, advisors);
  return key === undefined ? 'params' : { question: last.text, tenant, key };
}

/** Documents stand around the question already: questions about the same documents would look alike. */
function wasRetrieved({ context }: ChatClientRequest): boolean {
  return Object.hasOwn(context, RAG_DOCUMENT_CONTEXT) || Object.hasOwn(context, QA_RETRIEVED_DOCUMENTS);
}

/** Undefined for params that are not JSON: who could say whether they are the same? */
function keyOf(
  { context }: ChatClientRequest,
  { params }: RequestRules,
  tenant: string | undefined,
  advisors: readonly string[],
): string | undefined {
  const told: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(context)) {
    const counts = params === undefined ? name !== CONVERSATION_ID && name !== OUTPUT_FORMAT : params.includes(name);
    if (!counts || value === undefined) continue;
    if (!isJsonValue(value)) return undefined;
    told.push([name, value]);
  }
  return canonicalJson({ tenant, advisors, params: told.sort(([a], [b]) => (a < b ? -1 : 1)) });
}
