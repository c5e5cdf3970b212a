import type { CallContext, ChatModel, Document, PromptTemplate, RetryPolicy } from '@vernal/core';
import { callText, canonicalJson, contentId, invalidArgument, requirePlaceholders, retry } from '@vernal/core';

/** Keeps what a model answered, so that a second run does not ask again; a `Map` is one. */
export interface AnswerStore {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, answer: string): unknown;
}

/** What all enrichers take that ask a model. */
export interface EnricherOptions {
  /** Asked once a document. */
  readonly model: ChatModel;
  /** In place of the enricher's own. It needs the same placeholders: `{context_str}` if not said otherwise, which the text goes into. */
  readonly promptTemplate?: PromptTemplate | undefined;
  /** Model calls at a time; documents keep their order. Default 4. */
  readonly concurrency?: number | undefined;
  /** Of a call that fails. Default none: models that go over HTTP repeat requests by themselves. */
  readonly retry?: RetryPolicy | undefined;
  /**
   * `'skip'`: a document whose call failed for good goes on without what the model would have said, and `onFailure` is told. Default `'throw'`.
   */
  readonly onError?: 'throw' | 'skip' | undefined;
  readonly onFailure?: ((document: Document, error: unknown) => void) | undefined;
  /**
   * Answers by a hash of what was asked: a run that was interrupted, or is repeated, asks only what is missing. A model of another name is
   * asked anew. Default none.
   */
  readonly answers?: AnswerStore | undefined;
}

/** How an enricher asks its model. */
export class EnricherCalls {
  /** Calls at a time. */
  readonly concurrency: number;
  readonly #options: EnricherOptions;
  readonly #template: PromptTemplate;

  /** @throws VernalError `invalid_argument`, or `template` for a placeholder that is missing */
  constructor(options: EnricherOptions, template: PromptTemplate, placeholders: readonly string[]) {
    const { model, promptTemplate, concurrency = 4, onError = 'throw', answers } = options;
    if (typeof model?.call !== 'function') throw invalidArgument('model', 'pass a ChatModel');
    if (promptTemplate !== undefined) requirePlaceholders(promptTemplate, placeholders);
    if (!Number.isInteger(concurrency) || concurrency < 1)
      throw invalidArgument('concurrency', 'must be a whole number, at least 1');
    if (onError !== 'throw' && onError !== 'skip') throw invalidArgument('onError', "may be 'throw' or 'skip'");
    if (answers !== undefined && (typeof answers.get !== 'function' || typeof answers.set !== 'function'))
      throw invalidArgument('answers', 'must have get(key) and set(key, answer), as a Map has');
    this.#options = options;
    this.#template = template;
    this.concurrency = concurrency;
  }

  /** What the model says about a document, trimmed; '' for one without text, and where a failure is to be skipped. */
  async ask(
    document: Document,
    variables: Readonly<Record<string, string>>,
    context: CallContext | undefined,
  ): Promise<string> {
    if (document.text === undefined || document.text.trim() === '') return '';
    const { model, answers, onError, onFailure } = this.#options;
    const prompt = this.#template.create(variables);
    try {
      const key =
        answers === undefined
          ? ''
          : await contentId(canonicalJson([model.defaultOptions.model ?? '', prompt.contents]));
      const known = await answers?.get(key);
      if (known !== undefined) return known;
      const asked = (): Promise<string> => callText(model, prompt, context);
      const answer = (
        await retry(asked, this.#options.retry ?? { maxAttempts: 1 }, { signal: context?.signal })
      ).trim();
      await answers?.set(key, answer);
      return answer;
    } catch (error) {
      if (onError !== 'skip' || context?.signal?.aborted) throw error;
      onFailure?.(document, error);
      return '';
    }
  }
}
