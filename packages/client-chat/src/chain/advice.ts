import type { ChatModel, ChatResponse } from '@vernal/core';
import type { AnyAdvisor, CallAdvisorChain, StreamAdvisorChain } from '../advisors/advisor.js';
import type { ChatClientRequest, ChatClientResponse } from '../advisors/advisor-request.js';

/** Looks at the chunks of one `ask` on their way out of a stream. A call never uses it. Inner filters see a chunk first. */
export interface ChunkFilter {
  /** What goes out in place of `chunk`; undefined: nothing. What it throws ends the `ask` and closes the model's stream. */
  pass(chunk: ChatResponse): ChatResponse | undefined;
  /** What was held back, once the answer is whole; it may say more than its chunks did. */
  end?(response: ChatClientResponse): ChatResponse | undefined;
}

/** Lets nothing out: for an answer that is handed out whole, later. */
export const withhold: ChunkFilter = { pass: () => undefined };

/** What an advisor asks: everything that is further in. One shape for call and stream, so that its logic (`advise`) is written once. */
export interface Inward {
  /** True when the answer is also handed out in chunks while it comes. */
  readonly streaming: boolean;
  /** The whole answer, folded when it streamed. */
  ask(request: ChatClientRequest, filter?: ChunkFilter): Promise<ChatClientResponse>;
  /** The same of another model, past every advisor further in. */
  askModel(model: ChatModel, request: ChatClientRequest, filter?: ChunkFilter): Promise<ChatClientResponse>;
  /**
   * For what takes its time beside an `ask`: a pause, a judge, a tool. The request that `work` is given has a signal that also fires when
   * the reader of a stream leaves meanwhile.
   */
  wait<T>(request: ChatClientRequest, work: (request: ChatClientRequest) => Promise<T>): Promise<T>;
}

/** An advisor's whole logic, for both modes. In a stream, what it gives beyond what went out already goes out at the end. */
export type Advice = (
  request: ChatClientRequest,
  inward: Inward,
  chain: CallAdvisorChain | StreamAdvisorChain,
) => Promise<ChatClientResponse>;

const advices = new WeakMap<object, Advice>();

/** Kept beside the advisor, not in it: the public classes have no private state, so two copies of this package agree on their types. */
export function setAdvice(advisor: AnyAdvisor, advice: Advice): void {
  advices.set(advisor, advice);
}

export function adviceOf(advisor: AnyAdvisor): Advice | undefined {
  return advices.get(advisor);
}

/** All advisors of the chain, whichever face it shows. */
export function advisorsOf(chain: CallAdvisorChain | StreamAdvisorChain): readonly AnyAdvisor[] {
  return 'callAdvisors' in chain ? chain.callAdvisors : chain.streamAdvisors;
}
