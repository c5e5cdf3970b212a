import {
  BaseChatModel,
  type ChatModelCapabilities,
  type ChatResponse,
  chatResponse,
  type Logger,
  type ModelRequest,
  type ObservationRegistry,
  TEXT_ONLY,
} from '@vernal/core';
import { answerQuestion } from './answer/answer-question.js';
import { loadLexicon } from './load-lexicon.js';

/** All may be left out: there is nothing to connect to. */
export interface ExtractiveChatModelOptions {
  /** Default: none. */
  readonly observationRegistry?: ObservationRegistry | undefined;
  /** Default `noopLogger`. */
  readonly logger?: Logger | undefined;
  /** What to do with an option that it cannot obey, such as `temperature`. 'warn' logs it and goes on. Default 'error'. */
  readonly onUnsupported?: 'error' | 'warn' | undefined;
}

const MODEL = 'vernal-extractive-1';
const CAPABILITIES: ChatModelCapabilities = {
  ...TEXT_ONLY,
  unsupportedOptions: [
    'model',
    'temperature',
    'topP',
    'topK',
    'maxTokens',
    'stopSequences',
    'frequencyPenalty',
    'presencePenalty',
  ],
};

/**
 * A demonstration model for a first run without a key. It is no language model: it selects one to four sentences, list items, table
 * rows or code blocks of the documents in the prompt, quotes them word for word and cites their numbers, as [1]. It does not reason,
 * generate, translate or summarise. When the documents do not hold an answer it says `NOT_IN_DOCUMENTS`; to a prompt without documents
 * `NO_DOCUMENTS`.
 *
 * It reads the documents that `QuestionAnswerAdvisor` of `@vernal/advisors-vector-store` puts into the last user message, in any template.
 * A question that goes on from the one before ("and how do I delete them?") takes its words into account. Nothing that a document
 * says can change what it does. It knows English best; other languages are compared by their words and characters only.
 * Usage is not reported, for it counts no tokens.
 *
 * @throws `UnsupportedCapabilityError` for tools, media, an output schema and sampling options.
 *
 * @example
 * const client = ChatClient.builder(new ExtractiveChatModel())
 *   .defaultAdvisors(new QuestionAnswerAdvisor({ vectorStore }))
 *   .build();
 */
export class ExtractiveChatModel extends BaseChatModel {
  readonly provider: string = 'local';
  readonly capabilities: ChatModelCapabilities = CAPABILITIES;

  constructor({ observationRegistry, logger, onUnsupported }: ExtractiveChatModelOptions = {}) {
    super({ observationRegistry, logger, onUnsupported });
  }

  protected async *doStream({ messages, signal }: ModelRequest): AsyncIterable<ChatResponse> {
    const answer = answerQuestion(messages, await loadLexicon());
    for (const [word] of answer.matchAll(/\S+\s*/g)) {
      signal.throwIfAborted();
      yield chatResponse(word, { model: MODEL });
    }
    yield chatResponse([{ metadata: { finishReason: 'stop' } }], { model: MODEL });
  }
}
