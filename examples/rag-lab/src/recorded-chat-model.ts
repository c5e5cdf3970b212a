import {
  BaseChatModel,
  type ChatModelCapabilities,
  type ChatResponse,
  chatResponse,
  type Message,
  type ModelRequest,
  messageText,
  TEXT_ONLY,
  VernalError,
} from '@vernal/core';

/** What a model answered when it was asked about a query, by the query. */
export type Answers = Readonly<Record<string, string>>;

/** Answers of one model to the prompts of two parts. Plain JSON; `data/recorded-answers.json` is one. */
export interface Recording {
  readonly model: string;
  /** The day, as in 2026-11-30. */
  readonly recorded: string;
  readonly rewrite: Answers;
  readonly variants: Answers;
}

/** Gives the answers that another model gave once. It is asked by the query in the prompt, so the words around it may change. */
export class RecordedChatModel extends BaseChatModel {
  readonly provider: string = 'recorded';
  readonly capabilities: ChatModelCapabilities = TEXT_ONLY;
  readonly #model: string;
  readonly #answers: Answers;

  constructor(model: string, answers: Answers) {
    super();
    this.#model = model;
    this.#answers = answers;
  }

  protected async *doStream({ messages }: ModelRequest): AsyncIterable<ChatResponse> {
    const query = queryIn(messages);
    const answer = Object.hasOwn(this.#answers, query) ? this.#answers[query] : undefined;
    if (answer === undefined)
      throw new VernalError('There is no recorded answer to this query: name a model, or record again with --record', {
        code: 'invalid_state',
        subject: 'recorded-answers.json',
      });
    yield chatResponse(answer, { model: this.#model });
  }
}

/** The parts of @vernal/rag put a query between marks, as data. */
export function queryIn(messages: readonly Message[]): string {
  const prompt = messages.map(messageText).join('\n');
  return /<query>\n([\s\S]*)\n<\/query>/.exec(prompt)?.[1] ?? '';
}
