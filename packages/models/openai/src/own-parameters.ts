import { onlyDefined } from './only-defined.js';
import type { OpenAiOptions } from './open-ai-options.js';
import type { RequestDraft } from './open-ai-request.js';

/** OpenAI's own options under the names of the API. */
export function ownParameters(own: Readonly<Partial<OpenAiOptions>>): RequestDraft {
  return {
    n: own.n,
    seed: own.seed,
    reasoning_effort: own.reasoningEffort as RequestDraft['reasoning_effort'],
    verbosity: own.verbosity,
    service_tier: own.serviceTier as RequestDraft['service_tier'],
    prompt_cache_key: own.promptCacheKey,
    prompt_cache_retention: own.promptCacheRetention,
    prompt_cache_options: promptCache(own.promptCacheOptions),
    safety_identifier: own.safetyIdentifier,
    store: own.store,
    metadata: own.metadata === undefined ? undefined : { ...own.metadata },
    user: own.user,
    logit_bias: own.logitBias === undefined ? undefined : { ...own.logitBias },
    logprobs: own.logprobs,
    top_logprobs: own.topLogprobs,
    modalities: own.outputModalities === undefined ? undefined : [...own.outputModalities],
    audio: own.outputAudio,
    prediction: own.prediction === undefined ? undefined : { type: 'content', content: own.prediction },
    web_search_options: webSearch(own.webSearchOptions),
  };
}

function promptCache(options: OpenAiOptions['promptCacheOptions'] | undefined): RequestDraft['prompt_cache_options'] {
  if (options === undefined) return undefined;
  const { mode, ttl } = options;
  return { ...(mode === undefined ? {} : { mode }), ...(ttl === undefined ? {} : { ttl: ttl as '30m' }) };
}

function webSearch(options: OpenAiOptions['webSearchOptions'] | undefined): RequestDraft['web_search_options'] {
  if (options === undefined) return undefined;
  const { searchContextSize, userLocation } = options;
  return {
    ...(searchContextSize === undefined ? {} : { search_context_size: searchContextSize }),
    ...(userLocation === undefined
      ? {}
      : { user_location: { type: 'approximate', approximate: onlyDefined(userLocation) } }),
  };
}
