import { ModelError, type VernalError } from '@vernal/core';
import { type ModelErrorPlace, modelErrorFrom } from '@vernal/core/adapter';

/** Codes of a prompt that a filter did not let through. Source: https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter */
const FILTERED: ReadonlySet<unknown> = new Set(['content_filter', 'content_policy_violation']);

/** `modelErrorFrom`, and `model_content_filter` for a prompt that was filtered, which OpenAI and Azure report as a bad request. */
export function openAiError(thrown: unknown, place: ModelErrorPlace): VernalError {
  const error = modelErrorFrom(thrown, place);
  if (!ModelError.is(error) || error.code !== 'model_bad_request' || !FILTERED.has(error.details['provider_code'])) {
    return error;
  }
  const { provider, status, requestId, details } = error;
  const words = place.providerMessages ? ` (${error.message})` : '';
  return new ModelError(
    `${place.name} filtered the prompt: change what it says, or the filter of the account${words}`,
    {
      code: 'model_content_filter',
      provider,
      subject: 'messages',
      status,
      requestId,
      details,
      cause: error,
    },
  );
}
