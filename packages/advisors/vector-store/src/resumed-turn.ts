import type { AnyAdvisor, CallAdvisorChain, ChatClientRequest, StreamAdvisorChain } from '@vernal/client-chat';

/** All advisors of a chain, whichever face it shows. */
export function advisorsOf(chain: CallAdvisorChain | StreamAdvisorChain): readonly AnyAdvisor[] {
  return 'callAdvisors' in chain ? chain.callAdvisors : chain.streamAdvisors;
}

/**
 * Whether the turn waited for a decision and goes on further in, with a conversation that was augmented before it waited: what an advisor
 * that stands around the tool loop would put into the prompt now is read by nobody.
 */
export function goesOnInward(
  { run }: ChatClientRequest,
  advisor: AnyAdvisor,
  chain: CallAdvisorChain | StreamAdvisorChain,
): boolean {
  if (run?.resumed !== true) return false;
  const advisors = advisorsOf(chain);
  return advisors.indexOf(advisor) < advisors.findIndex(({ role }) => role === 'tool');
}
