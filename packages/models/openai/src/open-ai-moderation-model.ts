import {
  type CallContext,
  invalidArgument,
  type JsonRecord,
  type ModerationModel,
  type ModerationOptions,
  type ModerationResponse,
  type ModerationResult,
  type ObservationData,
} from '@vernal/core';
import { type ModelErrorPlace, notTheApi, requireApiKey, requireModel } from '@vernal/core/adapter';
import type OpenAI from 'openai';
import { fieldsOf, textOf } from './answer-reading.js';
import { answeredJson, answeredRequest } from './answered-request.js';
import { GuardedCalls } from './guarded-calls.js';
import { derivedOptions, OPEN_AI, openAiClient } from './open-ai-connection.js';
import type { OpenAiTaskOptions } from './open-ai-task-options.js';
import { OptionNames } from './option-names.js';

/** Needs `apiKey`, `client`, or the `baseURL` of a server that wants no key. */
export interface OpenAiModerationModelOptions extends OpenAiTaskOptions<ModerationOptions> {}

type Resolved = { readonly model?: string };

// The port has no options of providers.
const names: OptionNames<Resolved, object> = new OptionNames<Resolved, object>({ model: true }, {});

/**
 * Tells whether texts break OpenAI's rules. Default model 'omni-moderation-latest'. All texts of a call are one request; none, no request.
 * Failures are `ModelError`s, also an answer that has not one verdict for each text; an option that does not exist is `invalid_argument`.
 * Source: `OpenAiModerationModel` of Spring AI; https://platform.openai.com/docs/api-reference/moderations
 *
 * @example
 * const moderation = new OpenAiModerationModel({ apiKey: process.env.OPENAI_API_KEY });
 * const { results } = await moderation.call(['first text', 'second text']);
 * const bad = results.some(({ flagged }) => flagged);
 */
export class OpenAiModerationModel implements ModerationModel {
  readonly provider = 'openai';
  /** What a call does not say. */
  readonly defaultOptions: { readonly model?: string };
  readonly #options: OpenAiModerationModelOptions;
  readonly #client: OpenAI;
  readonly #calls: GuardedCalls;

  constructor(options: OpenAiModerationModelOptions = {}) {
    this.defaultOptions = names.merged({ model: 'omni-moderation-latest' }, options.defaultOptions).portable;
    requireApiKey(OPEN_AI.name, options);
    this.#options = options;
    this.#client = openAiClient(options);
    this.#calls = new GuardedCalls('moderation_model', this.provider, options);
  }

  /**
   * A model like this one with some options changed, by the rules of `OpenAiChatModel.with`; this one stays as it is.
   *
   * @example
   * const older = moderation.with({ defaultOptions: { model: 'omni-moderation-2024-09-26' } });
   */
  with(change: Partial<OpenAiModerationModelOptions>): OpenAiModerationModel {
    return new OpenAiModerationModel(derivedOptions(this.#options, change));
  }

  async call(
    input: string | readonly string[],
    options?: ModerationOptions,
    context?: CallContext,
  ): Promise<ModerationResponse> {
    const inputs = textsOf(input);
    const model = requireModel(names.merged(this.defaultOptions, options).portable.model);
    if (inputs.length === 0) return { model, results: [] };
    const facts = (content: boolean): ObservationData => ({ count: inputs.length, ...(content ? { inputs } : {}) });
    return this.#calls.call(
      { model, facts },
      context,
      () => this.#judge(inputs, model, context?.signal),
      ({ model: responseModel, results }) => ({
        ...(responseModel === undefined ? {} : { responseModel }),
        flagged: results.filter(({ flagged }) => flagged).length,
      }),
    );
  }

  #judge(inputs: readonly string[], model: string, signal: AbortSignal | undefined): Promise<ModerationResponse> {
    const client = this.#client;
    const place: ModelErrorPlace = { ...OPEN_AI, model, providerMessages: this.#options.providerMessages ?? false };
    return answeredRequest(
      { client, place, signal },
      (settings) => client.moderations.create({ model, input: [...inputs] }, settings),
      (response, timeout) =>
        answeredJson(place, { response, timeout }, (answer) => fromModeration(answer, place, inputs.length)),
    );
  }
}

function textsOf(input: unknown): readonly string[] {
  if (typeof input === 'string') return [input];
  if (!Array.isArray(input)) throw invalidArgument('input', 'must be a text or a list of texts');
  for (const [position, text] of input.entries()) {
    if (typeof text !== 'string') throw invalidArgument(`input[${position}]`, 'must be a text');
  }
  return input;
}

function fromModeration(answer: JsonRecord, place: ModelErrorPlace, inputs: number): ModerationResponse {
  const { results } = answer;
  if (!Array.isArray(results)) throw notTheApi(place);
  if (results.length !== inputs) throw new TypeError('there is not one verdict for each text');
  const id = textOf(answer['id']);
  return {
    ...(id === undefined ? {} : { id }),
    model: textOf(answer['model']) ?? place.model ?? '',
    results: results.map(verdict),
  };
}

function verdict(value: unknown): ModerationResult {
  const result = fieldsOf(value, 'a verdict');
  const { flagged } = result;
  if (typeof flagged !== 'boolean') throw new TypeError('a verdict says neither yes nor no');
  return {
    flagged,
    categories: known(result['categories'], (said) => typeof said === 'boolean'),
    scores: known(result['category_scores'], (said) => typeof said === 'number'),
  };
}

/** Older models have null for categories that they do not know. */
function known<T>(categories: unknown, isOne: (said: unknown) => said is T): Readonly<Record<string, T>> {
  const said = Object.entries(fieldsOf(categories, 'the categories')).filter(([, value]) => value !== null);
  const all = said.map(([name, value]): [string, T] => {
    if (!isOne(value)) throw new TypeError('a category is of another kind');
    return [name, value];
  });
  return Object.fromEntries(all);
}
