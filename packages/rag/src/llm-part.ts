import type { ChatClientRequestSpec } from '@vernal/client-chat';
import { ChatClient } from '@vernal/client-chat';
import type { CallContext, ChatModel, ChatOptions, Logger, TemplateVariables } from '@vernal/core';
import { defaultCleaners, PromptTemplate, requirePlaceholders, SafeObservation, safeLogger } from '@vernal/core';

/** What all parts take that ask a model. */
export interface LlmPartOptions {
  /**
   * Asked beside the conversation: temperature 0; nothing of a client but its model, its other options, registry and logger is used (no
   * advisors, memory, tools, system text).
   */
  readonly model: ChatModel | ChatClient;
  /** In place of the part's own; its placeholders are checked at construction. `{query}` is put in between marks, as data. */
  readonly promptTemplate?: PromptTemplate | undefined;
  /** Laid over: another model, or `temperature: null` for a model that refuses one. */
  readonly options?: ChatOptions | undefined;
  /** Told when the model's answer is blank. Default: nobody. */
  readonly logger?: Logger | undefined;
}

/** What a part brings of its own. */
export interface LlmPartSettings {
  readonly name: string;
  readonly defaultTemplate: string;
  readonly placeholders: readonly string[];
}

/** Thoughts and code fences are no part of an answer. These cleaners only cut. */
const CLEANERS = defaultCleaners.slice(0, 3);

/** One question to a model, beside the conversation. */
export class LlmPart {
  readonly #client: ChatClient;
  readonly #template: PromptTemplate;
  readonly #logger: Logger;
  readonly #name: string;

  constructor({ model, promptTemplate, options, logger }: LlmPartOptions, settings: LlmPartSettings) {
    this.#template = promptTemplate ?? new PromptTemplate(settings.defaultTemplate);
    requirePlaceholders(this.#template, settings.placeholders);
    this.#client = ChatClient.isolated(model, options);
    this.#logger = safeLogger(logger);
    this.#name = settings.name;
  }

  /** The question, not asked yet. */
  prompt(variables: TemplateVariables, context: CallContext | undefined): ChatClientRequestSpec {
    let spec = this.#client.prompt(this.#template.render(variables));
    if (context?.signal !== undefined) spec = spec.signal(context.signal);
    if (context?.observation !== undefined) spec = spec.observation(context.observation);
    return spec;
  }

  /** The answer without white space around it; undefined when it is blank. */
  async ask(variables: TemplateVariables, context: CallContext | undefined): Promise<string | undefined> {
    const answer = await this.prompt(variables, context).call().content();
    const text = CLEANERS.reduce((cleaned, cleaner) => cleaner(cleaned), answer).trim();
    return text === '' ? undefined : text;
  }

  /** Says that the model's answer was of no use, and what comes of it; never what was in it. */
  warnUnusable(context: CallContext | undefined, consequence = 'the query stays as it is'): void {
    this.#logger.warn(`The model gave nothing to use: ${consequence}`, { part: this.#name });
    if (context?.observation !== undefined) new SafeObservation(context.observation).event('unusable_answer');
  }
}
