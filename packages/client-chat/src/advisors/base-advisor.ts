import type { ChatResponse } from '@vernal/core';
import { VernalError } from '@vernal/core';
import { type Advice, adviceOf, type Inward } from '../chain/advice.js';
import { adviseCallOver, adviseStreamOver } from '../chain/beside-chain.js';
import { gaveNothing, givenAnswer, isGiven } from '../chain/given-answer.js';
import { responseAsAsked, turnAsAsked } from '../chain/turn-messages.js';
import type {
  AdvisorChain,
  AdvisorScope,
  CallAdvisor,
  CallAdvisorChain,
  StreamAdvisor,
  StreamAdvisorChain,
} from './advisor.js';
import type { ChatClientRequest, ChatClientResponse } from './advisor-request.js';

/** Where an advisor stands in a chain. */
export interface AdvisorPlace {
  /** Lower is further out. Given without a scope, it decides against the tool advisor's order, as in Spring AI. */
  readonly order?: number | undefined;
  readonly scope?: AdvisorScope | undefined;
}

/**
 * Once before, once after, the same for call and stream; one that asks again, or not at all, overrides `advise`. Source: `BaseAdvisor`
 * of spring-ai-client-chat.
 *
 * @example
 * class Polite extends BaseAdvisor {
 *   readonly name = 'polite';
 *   override before(request: ChatClientRequest): ChatClientRequest {
 *     return withRequest(request, { prompt: request.prompt.augmentSystemMessage('Be polite.') });
 *   }
 * }
 */
export abstract class BaseAdvisor implements CallAdvisor, StreamAdvisor {
  abstract readonly name: string;
  /** Default 0. */
  readonly order: number;
  readonly scope?: AdvisorScope | undefined;
  readonly role?: 'tool' | 'memory' | undefined;

  /** `preset` is the place of an advisor whose user says none: a scope that is said wins, an order that is said decides by itself. */
  constructor(place: AdvisorPlace = {}, preset: AdvisorPlace = {}) {
    this.order = place.order ?? preset.order ?? 0;
    this.scope = place.scope ?? (place.order === undefined ? preset.scope : undefined);
  }

  /** Gives the request that goes on; by default the same one. Throwing here ends the run before the model is asked. */
  before(request: ChatClientRequest, _chain: AdvisorChain): ChatClientRequest | Promise<ChatClientRequest> {
    return request;
  }

  /**
   * On a stream: the folded response, once, at the end. What it adds to context and metadata goes out in one last chunk without
   * text; changed text is an error there (`invalid_state`).
   */
  after(response: ChatClientResponse, _chain: AdvisorChain): ChatClientResponse | Promise<ChatClientResponse> {
    return response;
  }

  /**
   * Stands around everything that is further in, for call and stream with one logic: asks `inward` not at all, once or many times, and
   * gives the answer. By default asks once. `before` and `after` stand around it. The result must be a promise.
   *
   * In a stream each answer is handed out while it comes, what a `ChunkFilter` holds back apart; what the returned answer holds beyond
   * that goes out at the end, so the fold of the stream is the answer of the call. Text that went out cannot be taken back.
   *
   * @example
   * class NeverEmpty extends BaseAdvisor {
   *   readonly name = 'never-empty';
   *   override async advise(request: ChatClientRequest, inward: Inward): Promise<ChatClientResponse> {
   *     const response = await inward.ask(request);
   *     return response.chatResponse?.result?.output.text === '' ? inward.ask(request) : response;
   *   }
   * }
   */
  advise(
    request: ChatClientRequest,
    inward: Inward,
    chain: CallAdvisorChain | StreamAdvisorChain,
  ): Promise<ChatClientResponse> {
    return (adviceOf(this) ?? askOnce)(request, inward, chain);
  }

  adviseCall(request: ChatClientRequest, chain: CallAdvisorChain): Promise<ChatClientResponse> {
    return adviseCallOver(adviceFor(this), request, chain);
  }

  adviseStream(request: ChatClientRequest, chain: StreamAdvisorChain): AsyncIterable<ChatClientResponse> {
    return adviseStreamOver(adviceFor(this), request, chain);
  }
}

/** What an advisor does: its `advise`, with `before` and `after` around that where a class has them. */
export function adviceFor(advisor: BaseAdvisor): Advice {
  const { before, after, advise } = BaseAdvisor.prototype;
  const own: Advice =
    advisor.advise === advise
      ? (adviceOf(advisor) ?? askOnce)
      : async (request, inward, chain) =>
          responseAsAsked(
            request.prompt.messages,
            await givenAnswer(advisor, advisor.advise(request, inward, chain), 'advise() has to return a response'),
          );
  if (advisor.before === before && advisor.after === after) return own;
  return (request, inward, chain) =>
    beforeAndAfter(advisor, request, { ...inward, ask: (asked) => own(asked, inward, chain) }, chain);
}

const askOnce: Advice = (request, inward) => inward.ask(request);

async function beforeAndAfter(
  advisor: BaseAdvisor,
  request: ChatClientRequest,
  inward: Inward,
  chain: AdvisorChain,
): Promise<ChatClientResponse> {
  const before: ChatClientRequest | Promise<ChatClientRequest> | undefined = advisor.before(request, chain);
  const asked = isLater(before) ? await before : before;
  if (!isGiven(asked)) throw gaveNothing(advisor, 'before() has to return the request');
  let response = await inward.ask(asked);
  if (asked.prompt !== request.prompt && response.turn.length > 0) {
    response = { ...response, turn: turnAsAsked(request.prompt.messages, response.turn) };
  }
  const after: ChatClientResponse | Promise<ChatClientResponse> | undefined = advisor.after(response, chain);
  const advised = isLater(after) ? await after : after;
  if (!isGiven(advised)) throw gaveNothing(advisor, 'after() has to return the response');
  if (inward.streaming && advised !== response) refuseOtherText(advisor, response.chatResponse, advised.chatResponse);
  return advised;
}

function isLater<T extends object>(given: T | Promise<T> | undefined): given is Promise<T> {
  return isGiven(given) && 'then' in given;
}

function refuseOtherText(
  advisor: BaseAdvisor,
  before: ChatResponse | undefined,
  after: ChatResponse | undefined,
): void {
  if (before === after || textsOf(before) === textsOf(after)) return;
  throw new VernalError(
    `Advisor '${advisor.name}' changed the text of a stream in after(), when the text had gone out already: change it in adviseStream(), or in adviseCall() of an advisor that only advises calls`,
    { code: 'invalid_state', subject: advisor.name },
  );
}

function textsOf(response: ChatResponse | undefined): string {
  return JSON.stringify(response?.results.map(({ index, output }) => [index, output.text]) ?? []);
}
