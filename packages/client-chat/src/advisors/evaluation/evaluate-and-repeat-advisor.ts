import type {
  AdvisorPlace,
  CallAdvisorChain,
  ChatClientRequest,
  ChatClientResponse,
  ChunkFilter,
  Inward,
  StreamAdvisorChain,
} from '@vernal/client-chat';
import { BaseAdvisor, withRequest } from '@vernal/client-chat';
import type { ChatResponse, Message } from '@vernal/core';
import { hasFinishReason, hasToolCalls, invalidArgument, untilAborted, userMessage } from '@vernal/core';
import { keepAdvice, ownAdvice } from '../own-advice.js';
import { UsageAccumulator } from '../spending/usage-accumulator.js';

/** What a judge says of one answer. */
export interface Judgement {
  readonly pass: boolean;
  /** Shown to the model when it is asked again: what is wrong, and what would be right. */
  readonly feedback?: string | undefined;
}

/** The judge, and its patience. */
export interface EvaluateAndRepeatAdvisorOptions extends AdvisorPlace {
  /**
   * Judges an answer to a request as it was first asked: another model, a rule, a person. It should heed `request.signal`. What it throws
   * ends the turn.
   */
  readonly evaluate: (request: ChatClientRequest, response: ChatResponse) => Promise<Judgement>;
  /** How often it is asked again, at most; >= 0. Default 2. */
  readonly maxRepeats?: number | undefined;
}

/**
 * Judges the answer and asks again with the judgement: the model is shown its answer and the feedback, and what its tools gave, so that
 * they need not run again. When the repeats are used up, the last answer is given all the same. `evaluation` in the response's metadata
 * is `{ pass, feedback, attempts }`; usage is that of all attempts. Memory keeps the question and the last answer.
 *
 * In a stream the text goes out whole, once it is judged. Not judged: an answer that was refused ('blocked'), that a limit or a budget
 * stopped, that waits for an approval, or that calls tools which nobody runs. Scope 'turn', order 2000: inside of guards, retrieval and a response cache.
 *
 * @example
 * new EvaluateAndRepeatAdvisor({
 *   evaluate: async (_, response) => {
 *     const words = responseText(response).split(/\s+/).length;
 *     return { pass: words <= 50, feedback: `${words} words; say it in 50` };
 *   },
 * });
 */
export class EvaluateAndRepeatAdvisor extends BaseAdvisor {
  readonly name: string = 'EvaluateAndRepeatAdvisor';

  /** Throws `invalid_argument` without a judge, and for a negative number of repeats. */
  constructor(options: EvaluateAndRepeatAdvisorOptions) {
    super(options, { order: 2000, scope: 'turn' });
    const { evaluate, maxRepeats = 2 } = options;
    if (typeof evaluate !== 'function') throw invalidArgument('evaluate', 'must be a function that judges an answer');
    if (!Number.isInteger(maxRepeats) || maxRepeats < 0) {
      throw invalidArgument('maxRepeats', 'must be a whole number, at least 0');
    }
    keepAdvice(this, async (request, inward) => {
      const usage = new UsageAccumulator();
      const rounds: Message[] = [];
      let asked = request;
      for (let attempts = 1; ; attempts++) {
        const response = usedUp(await inward.ask(asked, withhold), usage);
        const answer = response.chatResponse;
        if (answer === undefined || isNotForJudging(response, answer)) return withRounds(response, rounds);
        const { pass, feedback } = await inward.wait(request, (judged) =>
          untilAborted(evaluate(judged, answer), judged.signal),
        );
        if (pass || attempts > maxRepeats) {
          const evaluation = { pass, ...(feedback !== undefined && { feedback }), attempts };
          const metadata = { ...answer.metadata, evaluation };
          return withRounds({ ...response, chatResponse: { ...answer, metadata } }, rounds);
        }
        rounds.push(...said(response.turn).slice(0, -1));
        asked = askAgain(request, [...rounds, ...said(response.turn).slice(-1)], feedback);
      }
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

const withhold: ChunkFilter = { pass: () => undefined };

function usedUp(response: ChatClientResponse, usage: UsageAccumulator): ChatClientResponse {
  usage.addRoundResponse(response.chatResponse);
  return usage.applyAccumulatedUsage(response);
}

function isNotForJudging({ pendingApproval }: ChatClientResponse, answer: ChatResponse): boolean {
  const stopped = 'budget' in answer.metadata || hasFinishReason(answer, ['blocked', 'tool_call_limit']);
  return stopped || pendingApproval !== undefined || hasToolCalls(answer);
}

/** What came back: tool rounds and the answer. */
function said(turn: readonly Message[]): readonly Message[] {
  const first = turn.findIndex(({ type }) => type === 'assistant');
  return first < 0 ? [] : turn.slice(first);
}

/** The tool rounds of earlier attempts are part of the turn: the last answer rests on them. */
function withRounds(response: ChatClientResponse, rounds: readonly Message[]): ChatClientResponse {
  if (rounds.length === 0 || response.turn.length === 0) return response;
  return { ...response, turn: [...rounds, ...said(response.turn)] };
}

/** Only the newest answer is shown: the prompt does not grow from attempt to attempt, but by what tools gave. */
function askAgain(
  request: ChatClientRequest,
  before: readonly Message[],
  feedback: string | undefined,
): ChatClientRequest {
  const { prompt } = request;
  const shown = before.filter((message) => message.type !== 'assistant' || !isSilent(message));
  const reason = feedback === undefined || feedback.trim() === '' ? '' : `:\n${feedback}`;
  const again = userMessage(`Your answer was judged and did not pass${reason}\nAnswer the question again, and better.`);
  return withRequest(request, { prompt: prompt.withMessages([...prompt.messages, ...shown, again]) });
}

function isSilent(message: Extract<Message, { type: 'assistant' }>): boolean {
  return message.text === '' && message.toolCalls.length + message.media.length + message.reasoning.length === 0;
}
