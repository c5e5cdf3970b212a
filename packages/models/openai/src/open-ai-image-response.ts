import { type ImageGeneration, type ImageResponse, type JsonRecord, media } from '@vernal/core';
import { type ModelErrorPlace, notTheApi, reportedCount } from '@vernal/core/adapter';
import { fieldsOf, textOf } from './answer-reading.js';
import { onlyDefined } from './only-defined.js';
import { reportedRateLimit } from './open-ai-rate-limit.js';
import { taskUsage } from './open-ai-usage.js';

/** What of a request is needed to read its answer. */
export interface ImagesAsked {
  readonly model: string;
  /** File format that was asked for; dall-e does not tell it. */
  readonly format: string;
}

/** The images of an answer. Source: https://platform.openai.com/docs/api-reference/images/object */
export function fromImages(
  answer: JsonRecord,
  { model, format }: ImagesAsked,
  { place, headers }: { readonly place: ModelErrorPlace; readonly headers: Headers },
): ImageResponse {
  const { data } = answer;
  if (!Array.isArray(data)) throw notTheApi(place);
  const told = textOf(answer['output_format']) ?? format;
  return {
    results: data.map((value: unknown, position) => generation(fieldsOf(value, 'an image'), told, position)),
    metadata: {
      model: textOf(answer['model']) ?? model,
      usage: taskUsage(answer['usage']),
      ...onlyDefined({
        created: reportedCount(answer['created']),
        size: textOf(answer['size']),
        quality: textOf(answer['quality']),
        background: textOf(answer['background']),
        outputFormat: textOf(answer['output_format']),
        rateLimit: reportedRateLimit(headers),
      }),
    },
  };
}

function generation(entry: JsonRecord, format: string, position: number): ImageGeneration {
  const base64 = textOf(entry['b64_json']);
  const url = textOf(entry['url']);
  if (base64 === undefined && url === undefined) throw new TypeError('an image is neither there nor at an address');
  const revisedPrompt = textOf(entry['revised_prompt']);
  return {
    image: media(`image/${format}`, base64 === undefined ? (url ?? '') : { type: 'base64', base64 }, {
      name: `image-${position + 1}.${format}`,
    }),
    metadata: revisedPrompt === undefined ? {} : { revisedPrompt },
  };
}
