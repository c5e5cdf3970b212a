import {
  type ChatResponse,
  type ChatResponseMetadataInput,
  chatResponse,
  type Input,
  isRecord,
  type JsonRecord,
  type Metadata,
  type RateLimit,
} from '@vernal/core';
import { notTheApi, reportedCount } from '@vernal/core/adapter';
import { fieldsOf, textOf } from './answer-reading.js';
import { AnsweredChoice } from './answered-choice.js';
import { searchCitations } from './citations.js';
import { OPEN_AI } from './open-ai-connection.js';
import { openAiUsage } from './open-ai-usage.js';
import { ReportedError, reportedError } from './reported-error.js';

/** What of a request and of its answer's headers is needed to read the answer. */
export interface AnswerPlace {
  readonly model: string;
  readonly audioFormat: string;
  readonly rateLimit: Input<RateLimit> | undefined;
  readonly requestId: string | undefined;
}

/** A whole answer, as it was parsed. Throws what the server reports as an error. */
export function fromCompletion(completion: unknown, place: AnswerPlace): ChatResponse {
  const choices = isRecord(completion) ? completion['choices'] : undefined;
  const error = isRecord(completion) ? reportedError(completion) : undefined;
  if (error !== undefined && !(Array.isArray(choices) && choices.length > 0)) {
    throw new ReportedError(error, place.requestId);
  }
  if (!isRecord(completion) || !Array.isArray(choices)) throw notTheApi({ ...OPEN_AI, model: place.model });
  const results = choices.map((value, position) => {
    const choice = fieldsOf(value, 'a choice');
    if (isRecord(choice['error'])) throw new ReportedError(choice['error'], place.requestId);
    const index = reportedCount(choice['index']) ?? position;
    return new AnsweredChoice(index, place.audioFormat).whole(choice, fieldsOf(choice['message'], 'a message'));
  });
  // As a stream has them in the end, whatever comes first.
  results.sort((a, b) => (a.index ?? 0) - (b.index ?? 0));
  return chatResponse(results, openAiMetadata(completion, place.rateLimit));
}

/** What whole answers and chunks say about themselves. */
export function openAiMetadata(source: JsonRecord, rateLimit: Input<RateLimit> | undefined): ChatResponseMetadataInput {
  const filters = source['prompt_filter_results'];
  return {
    id: textOf(source['id']),
    model: textOf(source['model']),
    usage: openAiUsage(source['usage'] ?? usageElsewhere(source)),
    rateLimit,
    promptFilters: Array.isArray(filters) ? (filters as readonly Metadata[]) : undefined,
    systemFingerprint: textOf(source['system_fingerprint']),
    serviceTier: textOf(source['service_tier']),
    moderation: source['moderation'] ?? undefined,
    citations: searchCitations(source),
  };
}

/** In streams Moonshot tells it in the last choice, and Groq among members of its own. */
function usageElsewhere({ choices, x_groq: groq }: JsonRecord): unknown {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return (isRecord(first) ? first['usage'] : undefined) ?? (isRecord(groq) ? groq['usage'] : undefined);
}
