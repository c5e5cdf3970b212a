import type { CallAdvisorChain, StreamAdvisorChain } from '../advisors/advisor.js';
import type { ChatClientRequest, ChatClientResponse } from '../advisors/advisor-request.js';
import type { Advice, Inward } from './advice.js';
import { callModel, streamModel } from './ask-model.js';
import { StreamDriver } from './stream-driver.js';

/** Runs one advice over a chain that is known by its public face only: that of another copy of this package, or a caller's own. */
export function adviseCallOver(
  advice: Advice,
  request: ChatClientRequest,
  chain: CallAdvisorChain,
): Promise<ChatClientResponse> {
  const inward: Inward = {
    streaming: false,
    ask: (asked) => chain.nextCall(asked),
    askModel: (model, asked) => callModel(model, asked, { logger: chain.logger, onUnsupported: 'error' }),
    wait: (asked, work) => work(asked),
  };
  return advice(request, inward, chain);
}

/** The same for a stream. */
export function adviseStreamOver(
  advice: Advice,
  request: ChatClientRequest,
  chain: StreamAdvisorChain,
): AsyncIterable<ChatClientResponse> {
  return new StreamDriver(
    (run) =>
      advice(
        request,
        run.inward((asked, filters) => run.ask(asked, filters)),
        chain,
      ),
    ({ model, request: asked }) =>
      model === undefined
        ? { of: 'chain', chunks: chain.nextStream(asked) }
        : { of: 'model', chunks: streamModel(model, asked, { logger: chain.logger, onUnsupported: 'error' }) },
    (chunk) => chunk,
  );
}
