import type { CallContext, StructuredOutputConverter, TemplateVariables } from '@vernal/core';
import type { LlmPartOptions, LlmPartSettings } from './llm-part.js';
import { LlmPart } from './llm-part.js';

/** What all parts take that read a value out of a model's answer. */
export interface LlmEntityPartOptions extends LlmPartOptions {
  /**
   * The provider's own structured output in place of words in the prompt. Default: where a model is given that declares it; a client does not
   * say what its model can.
   */
  readonly native?: boolean | undefined;
}

/** What a part brings of its own. */
export interface LlmEntityPartSettings<T> extends LlmPartSettings {
  /** Reads every answer: one that says nothing is a value too. */
  readonly converter: StructuredOutputConverter<T>;
}

function declaresSchema(model: LlmPartOptions['model']): boolean {
  return 'capabilities' in model && model.capabilities.outputSchema !== 'none';
}

/** A question to a model, beside the conversation, whose answer is read into a value. */
export class LlmEntityPart<T> {
  readonly #part: LlmPart;
  readonly #converter: StructuredOutputConverter<T>;
  readonly #native: boolean;

  constructor(options: LlmEntityPartOptions, settings: LlmEntityPartSettings<T>) {
    this.#part = new LlmPart(options, settings);
    this.#converter = settings.converter;
    this.#native = options.native ?? declaresSchema(options.model);
  }

  async ask(variables: TemplateVariables, context: CallContext | undefined): Promise<T> {
    const options = { native: this.#native, validate: false };
    return this.#part.prompt(variables, context).call().entity(this.#converter, options);
  }

  /** Says that an answer was of no use, and what comes of it; never what was in it. */
  warnUnusable(context: CallContext | undefined, consequence: string): void {
    this.#part.warnUnusable(context, consequence);
  }
}
