import { ModelError } from '@vernal/core';
import type { ModelErrorPlace } from './model-error-from.js';

/** For a stream that ended without the provider's word that it is whole: `model_stream_interrupted`, worth another try. */
export function streamInterrupted(place: ModelErrorPlace): ModelError {
  return new ModelError(`${place.name} ended its answer without saying that it is whole: try again`, {
    code: 'model_stream_interrupted',
    provider: place.provider,
    retryable: true,
    details: detailsOf(place),
  });
}

/** For a success of a shape that the provider does not have: something else listens at the address. */
export function notTheApi(place: ModelErrorPlace): ModelError {
  return new ModelError(`What answered does not speak the ${place.name} API: check \`baseURL\``, {
    provider: place.provider,
    subject: 'baseURL',
    details: detailsOf(place),
  });
}

function detailsOf({ model }: ModelErrorPlace): { readonly model?: string } {
  return model === undefined ? {} : { model };
}
