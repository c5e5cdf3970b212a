import type {
  AdvisorPlace,
  CallAdvisorChain,
  ChatClientRequest,
  ChatClientResponse,
  Inward,
  StreamAdvisorChain,
} from '@vernal/client-chat';
import { BaseAdvisor, LOWEST_PRECEDENCE, OUTPUT_FORMAT, withRequest } from '@vernal/client-chat';
import type { ChatResponse, Generation, Message } from '@vernal/core';
import { contextValue, invalidArgument } from '@vernal/core';
import { keepAdvice, ownAdvice } from '../own-advice.js';
import { AnswerFilter } from './answer-filter.js';
import { type TextChange, withTexts } from './message-texts.js';
import { PatternScanner } from './pattern-scanner.js';
import { Placeholders } from './placeholders.js';
import { RedactingFilter } from './redacting-filter.js';
import type { RedactionPattern } from './redaction-pattern.js';
import { filtered, type TextFilter } from './text-filter.js';

/** What is redacted, and whether it comes back. */
export interface RedactionAdvisorOptions extends AdvisorPlace {
  /** Of two that match at the same place the first wins. `redactionPatterns` has some. */
  readonly patterns: readonly RedactionPattern[];
  /**
   * True: the model is given numbered placeholders, and what it says with them is given back with the originals in their place; what it
   * says otherwise is left alone. False: the model's words are redacted, too. Default false.
   */
  readonly restore?: boolean | undefined;
}

/**
 * Keeps what matches out of what the model reads: system, user and history, arguments of tool calls and what tools answered, JSON
 * included. Reasoning is left as it is, for providers sign it; media are not looked into.
 *
 * In a stream so many characters are held back as the longest match may have (`maxLength`); with `restore` only what may become a
 * placeholder. However the stream is cut, its fold is the answer of a call. Tool calls go out whole.
 *
 * Scope 'round', order `LOWEST_PRECEDENCE - 1500`: right around the model, so that nothing passes it by, neither memory nor documents nor
 * tools' answers. With `restore` tools are called with the originals. What is further out has the original question, memory too; the
 * answer it stores is the one that was redacted, or restored. To keep originals out of a memory as well, put it further in than this
 * advisor: scope 'turn' with an order below `DEFAULT_CHAT_MEMORY_ORDER`; then tools are called with what the model was given, and their
 * answers reach it unredacted.
 *
 * @example
 * new RedactionAdvisor({ patterns: [redactionPatterns.email, { pattern: /\bK-\d{6}\b/, replacement: '[CUSTOMER]', maxLength: 10 }], restore: true });
 */
export class RedactionAdvisor extends BaseAdvisor {
  readonly name: string = 'RedactionAdvisor';

  /** Throws `invalid_argument` without patterns, and for a `maxLength` that is no whole number above 0. */
  constructor(options: RedactionAdvisorOptions) {
    super(options, { order: LOWEST_PRECEDENCE - 1500, scope: 'round' });
    const { patterns, restore = false } = options;
    if (!Array.isArray(patterns) || patterns.length === 0) {
      throw invalidArgument('patterns', 'name at least one; redactionPatterns has some');
    }
    for (const [i, { pattern, maxLength = 1 }] of patterns.entries()) {
      if (!(pattern instanceof RegExp)) throw invalidArgument(`patterns[${i}].pattern`, 'must be a regular expression');
      if (!Number.isInteger(maxLength) || maxLength < 1) {
        throw invalidArgument(`patterns[${i}].maxLength`, 'must be a whole number of at least 1');
      }
    }
    const scanner = new PatternScanner(patterns);
    keepAdvice(this, async (request, inward) => {
      const { messages } = request.prompt;
      const placeholders = restore ? new Placeholders(textsOf(messages)) : undefined;
      const hide: TextChange = (text) =>
        filtered(new RedactingFilter(scanner, placeholders && ((match, by) => placeholders.of(match, by))), text);
      const hidden = messages.map((message) => withTexts(message, hide));
      const changed = hidden.some((message, i) => message !== messages[i]);
      const asked = changed ? withRequest(request, { prompt: request.prompt.withMessages(hidden) }) : request;
      if (placeholders?.isEmpty === true) return inward.ask(asked);

      const plain = (): TextFilter =>
        placeholders === undefined ? new RedactingFilter(scanner) : placeholders.restoring((original) => original);
      const inAnswer = (): TextFilter =>
        placeholders !== undefined && isForJson(request) ? placeholders.restoring(inJsonString) : plain();
      const show: TextChange = (text) => filtered(plain(), text);
      const showAnswer: TextChange = (text) => filtered(inAnswer(), text);
      const filter = new AnswerFilter(inAnswer, (answer) => withAnswers(answer, show));
      const response = await inward.ask(asked, inward.streaming ? filter : undefined);
      const { chatResponse, turn } = response;
      return {
        ...response,
        ...(chatResponse !== undefined && {
          chatResponse: withAnswers(
            chatResponse,
            show,
            (index, text) => filter.saidFor(index, text) ?? showAnswer(text),
          ),
        }),
        turn: turn.map((message) => shownMessage(message, show, showAnswer)),
      };
    });
  }

  override advise(
    request: ChatClientRequest,
    inward: Inward,
    chain: CallAdvisorChain | StreamAdvisorChain,
  ): Promise<ChatClientResponse> {
    return ownAdvice(this)(request, inward, chain);
  }
}

/** Everything in which a placeholder could stand already. */
function textsOf(messages: readonly Message[]): string {
  const texts: string[] = [];
  for (const message of messages) {
    withTexts(message, (text) => {
      texts.push(text);
      return text;
    });
  }
  return texts.join('\n');
}

/** Tool calls are changed string by string, the text as the text of an answer. */
function shownMessage(message: Message, show: TextChange, showAnswer: TextChange): Message {
  const shown = withTexts(message, show);
  return message.type === 'assistant' && shown.type === 'assistant'
    ? { ...shown, text: showAnswer(message.text) }
    : shown;
}

function withAnswers(
  response: ChatResponse,
  show: TextChange,
  textOf: (index: number, text: string) => string = (_, text) => show(text),
): ChatResponse {
  const results = response.results.map((generation): Generation => {
    const { index, output } = generation;
    const shown = withTexts(output, show);
    return shown.type === 'assistant'
      ? { ...generation, output: { ...shown, text: textOf(index, output.text) } }
      : generation;
  });
  return { ...response, results, result: results[0] };
}

/** Whether the answer is read as JSON. */
function isForJson({ context, prompt }: ChatClientRequest): boolean {
  return contextValue(context, OUTPUT_FORMAT) !== undefined || Boolean(prompt.options.outputSchema);
}

function inJsonString(original: string): string {
  return JSON.stringify(original).slice(1, -1);
}
