import type { BaseAdvisor } from '@vernal/client-chat';

type Advice = BaseAdvisor['advise'];

const advices = new WeakMap<BaseAdvisor, Advice>();

/** Kept beside the advisor, not in it: the public classes have no private state, so two copies of this package agree on their types. */
export function keepAdvice(advisor: BaseAdvisor, advice: Advice): void {
  advices.set(advisor, advice);
}

/** What the advisor's constructor kept. */
export function ownAdvice(advisor: BaseAdvisor): Advice {
  const advice = advices.get(advisor);
  if (advice === undefined) throw new TypeError(`Advisor '${advisor.name}' was not made by its constructor`);
  return advice;
}
