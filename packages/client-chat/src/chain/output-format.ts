import type { ChatModel, ContextKey, Logger, Prompt, StructuredOutputConverter } from '@vernal/core';
import { contextKey, contextValue, UnsupportedCapabilityError } from '@vernal/core';
import type { AdvisorContext } from '../advisors/advisor-request.js';

/** What `entity()` wants of the model. Decided per model, so that a fallback to another one gets what that one can do. */
export interface OutputFormat {
  readonly converter: StructuredOutputConverter<unknown>;
  /** By the provider's own structured output, where the model has it. */
  readonly native: boolean;
}

/** Set in the context of a request for an entity: an answer to it is read, and the same prompt without it is another question. */
export const OUTPUT_FORMAT: ContextKey<OutputFormat> = contextKey<OutputFormat>('chat_client_output_format');

/** Said next to the model and nowhere else: memory, retrieval and guards see the user's own words. */
export function withOutputFormat(
  prompt: Prompt,
  context: AdvisorContext,
  model: ChatModel,
  onUnsupported: 'error' | 'warn',
  logger: Logger,
): Prompt {
  const output = contextValue(context, OUTPUT_FORMAT);
  if (output === undefined) return prompt;
  const { converter, native } = output;
  if (native && converter.jsonSchema !== undefined) {
    if (model.capabilities.outputSchema === 'schema') {
      return prompt.withOptions({ outputSchema: converter.jsonSchema });
    }
    if (onUnsupported === 'error') {
      throw new UnsupportedCapabilityError(
        `Model '${model.provider}' does not obey a JSON Schema: leave out { native: true }, or set onUnsupported to 'warn' to ask in words`,
        { capability: 'outputSchema', owner: model.provider, subject: 'native' },
      );
    }
    logger.warn('The model does not obey a JSON Schema; it is asked in words', { model: model.provider });
  }
  const { format } = converter;
  if (format === '') return prompt;
  return prompt.augmentUserMessage((message) => ({
    ...message,
    text: message.text === '' ? format : `${message.text}\n${format}`,
  }));
}
