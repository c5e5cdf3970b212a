import type { AdvisorScope } from './advisor.js';
import type { AdvisorPlace } from './base-advisor.js';

/** An advisor's place when its user did not say: a scope that is said wins, an order that is said decides by itself. */
export function shippedPlace(said: AdvisorPlace, shipped: { order: number; scope: AdvisorScope }): AdvisorPlace {
  return {
    order: said.order ?? shipped.order,
    scope: said.scope ?? (said.order === undefined ? shipped.scope : undefined),
  };
}
