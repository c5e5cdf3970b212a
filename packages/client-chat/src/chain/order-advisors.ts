import { VernalError } from '@vernal/core';
import type { AnyAdvisor } from '../advisors/advisor.js';
import { DEFAULT_TOOL_CALLING_ORDER } from '../advisors/advisor-order.js';

/**
 * Outermost first: advisors of the turn, the tool advisor, advisors of the round; each part by order, equal orders as they were
 * registered. Throws `invalid_argument` for a chain that cannot be what its author meant.
 */
export function orderAdvisors(advisors: readonly AnyAdvisor[]): readonly AnyAdvisor[] {
  for (const [i, advisor] of advisors.entries()) checkAdvisor(advisor, advisors.indexOf(advisor) !== i);
  const toolAdvisors = advisors.filter(({ role }) => role === 'tool');
  if (toolAdvisors.length > 1) {
    const found = toolAdvisors.map(({ name, order }) => `'${name}' (order ${order})`).join(', ');
    throw refuse(
      'advisors',
      `A chain has one tool loop and ${toolAdvisors.length} advisors drive one: ${found}. Keep one of them`,
    );
  }
  const byOrder = advisors.toSorted((a, b) => a.order - b.order);
  const [tool] = toolAdvisors;
  const toolOrder = tool?.order ?? DEFAULT_TOOL_CALLING_ORDER;
  const at = tool === undefined ? byOrder.findIndex(({ order }) => order > toolOrder) : byOrder.indexOf(tool);
  const line = at < 0 ? byOrder.length : at;
  const isTurn = (advisor: AnyAdvisor, i: number): boolean => {
    if (advisor.scope !== undefined) checkScope(advisor, toolOrder);
    return advisor.scope === undefined ? i < line : advisor.scope === 'turn';
  };
  const turn: AnyAdvisor[] = [];
  const round: AnyAdvisor[] = [];
  for (const [i, advisor] of byOrder.entries()) {
    if (advisor !== tool) (isTurn(advisor, i) ? turn : round).push(advisor);
  }
  return tool === undefined ? [...turn, ...round] : [...turn, tool, ...round];
}

function checkAdvisor(advisor: AnyAdvisor, again: boolean): void {
  const { name } = advisor;
  if (again)
    throw refuse(
      name,
      `Advisor '${name}' stands in the chain twice: register it with the client or with the request, not both`,
    );
  if (!Number.isFinite(advisor.order)) throw refuse(name, `Advisor '${name}' has no order: give it a finite number`);
  if (!('adviseCall' in advisor) && !('adviseStream' in advisor)) {
    throw refuse(
      name,
      `Advisor '${name}' advises nothing: give it adviseCall() or adviseStream(), or extend BaseAdvisor`,
    );
  }
}

/**
 * An order below the tool advisor's is only ever given to stand outside of the loop. The reverse means nothing while the tool advisor
 * keeps its default order, which is below almost any other.
 */
function checkScope({ name, order, scope }: AnyAdvisor, toolOrder: number): void {
  const outside = order < toolOrder;
  if (scope === 'round' && outside) {
    throw refuse(
      name,
      `Advisor '${name}' has scope 'round' and the order ${order}, outside of the tool loop (${toolOrder}): give it a higher order, or scope 'turn'`,
    );
  }
  if (scope === 'turn' && order > toolOrder && toolOrder !== DEFAULT_TOOL_CALLING_ORDER) {
    throw refuse(
      name,
      `Advisor '${name}' has scope 'turn' and the order ${order}, inside of the tool loop (${toolOrder}): give it a lower order, or scope 'round'`,
    );
  }
}

function refuse(subject: string, message: string): VernalError {
  return new VernalError(message, { code: 'invalid_argument', subject });
}
