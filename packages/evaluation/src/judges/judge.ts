import { ChatClient } from '@vernal/client-chat';
import type { CallContext, ChatModel, ChatOptions, JsonSchema, PromptTemplate, SchemaWithJson } from '@vernal/core';
import { responseText, StructuredOutputError, schemaConverter, userMessage } from '@vernal/core';
import type { EvaluationResponse } from '../evaluator.js';
import { evaluationResponse } from '../evaluator.js';
import { type ReadVerdict, readVerdict } from './read-verdict.js';
import { plainUsage, type Spending } from './spending.js';

/** Who judges, and how it is asked. */
export interface JudgeOptions {
  /** Asked beside any conversation: a client's texts, advisors, memory and tools stay out. Better not the model that is judged. */
  readonly model: ChatModel | ChatClient;
  /** Default: the evaluator's own. Its placeholders are checked at construction; values come with the marks of the default's escaped. */
  readonly promptTemplate?: PromptTemplate | undefined;
  /** Laid over the model's; the temperature is 0 unless they say otherwise. */
  readonly options?: ChatOptions | undefined;
  /**
   * The provider's structured output for the judgement. Default: where a `ChatModel` is given that declares it; what a client's model can do
   * is not known here, so a client is asked in words.
   */
  readonly structured?: boolean | undefined;
  /** Default: the evaluator's own. For two judges of one kind in a run. */
  readonly name?: string | undefined;
}

export interface Judgement extends ReadVerdict, Spending {
  /** As the judge wrote it. */
  readonly answer: string;
}

/** `value` is undefined when no valid one came. */
export interface Extract<T> extends Spending {
  readonly value: T | undefined;
}

const VERDICT: JsonSchema = {
  type: 'object',
  properties: { reason: { type: 'string' }, verdict: { type: 'string', enum: ['yes', 'no'] } },
  required: ['reason', 'verdict'],
  additionalProperties: false,
};
const IN_WORDS = 'Begin your answer with that one word. Then say why in one sentence.';
const IN_JSON = 'Give the reason in one sentence, and then the verdict.';

/** A model that is asked to judge, each time anew. */
export class Judge {
  readonly #client: ChatClient;
  readonly #structured: boolean;
  readonly #model: string | undefined;

  constructor({ model, options, structured }: Pick<JudgeOptions, 'model' | 'options' | 'structured'>) {
    this.#client = ChatClient.isolated(model, options);
    const isModel = 'capabilities' in model;
    this.#structured = structured ?? (isModel && model.capabilities.outputSchema === 'schema');
    this.#model = options?.model ?? (isModel ? model.defaultOptions.model : undefined);
  }

  /** A prompt of ours ends without saying how to answer: that depends on how the judge is asked. */
  async decide(prompt: string, context: CallContext | undefined): Promise<Judgement> {
    return this.#ask(`${prompt}\n\n${this.#structured ? IN_JSON : IN_WORDS}`, this.#structured, context);
  }

  /** The prompt as it is. `bare`: not even structured output, for models that are made to answer with one word. */
  async decideAs(prompt: string, bare: boolean, context: CallContext | undefined): Promise<Judgement> {
    return this.#ask(prompt, this.#structured && !bare, context);
  }

  async extract<T>(
    prompt: string,
    schema: SchemaWithJson<T, T>,
    context: CallContext | undefined,
  ): Promise<Extract<T>> {
    try {
      const request = this.#request(prompt, context).call();
      const { entity, response } = await request.responseEntity(schemaConverter(schema), { native: this.#structured });
      const { model = this.#model, usage } = response.metadata;
      return { value: entity, usage: plainUsage(usage), model };
    } catch (error) {
      if (!StructuredOutputError.is(error)) throw error;
      return { value: undefined, usage: plainUsage(error.usage), model: this.#model };
    }
  }

  async #ask(prompt: string, structured: boolean, context: CallContext | undefined): Promise<Judgement> {
    const request = this.#request(prompt, context);
    const response = await (structured ? request.options({ outputSchema: VERDICT }) : request).call().chatResponse();
    const answer = responseText(response);
    const { model = this.#model, usage } = response.metadata;
    return { ...readVerdict(answer), answer, usage: plainUsage(usage), model };
  }

  #request(prompt: string, context: CallContext | undefined): ReturnType<ChatClient['prompt']> {
    // As a message: what is judged may hold braces, and is never rendered.
    let request = this.#client.prompt().messages(userMessage(prompt));
    if (context?.signal !== undefined) request = request.signal(context.signal);
    if (context?.observation !== undefined) request = request.observation(context.observation);
    return request;
  }
}

/** Longer answers are cut where they are kept. */
const KEPT_ANSWER = 2_000;

/** What a yes or no of a judge comes to. */
export function judged({ verdict, reason, answer, usage, model }: Judgement): EvaluationResponse {
  return verdict === 'inconclusive'
    ? evaluationResponse({
        verdict,
        feedback: 'The judge gave no clear yes or no.',
        metadata: { answer: answer.slice(0, KEPT_ANSWER) },
        usage,
        model,
      })
    : evaluationResponse({ verdict, feedback: reason, usage, model });
}
