import { DEFAULT_CHAT_MEMORY_ORDER, DEFAULT_TOOL_CALLING_ORDER } from './advisor-order.js';
import type { AdvisorPlace } from './base-advisor.js';
import { shippedPlace } from './shipped-place.js';

/** Around the tool loop; with scope 'round' and no order of its own, right inside. */
export function memoryPlace(said: AdvisorPlace): AdvisorPlace {
  const inside = said.scope === 'round';
  return shippedPlace(said, {
    order: inside ? DEFAULT_TOOL_CALLING_ORDER + 1 : DEFAULT_CHAT_MEMORY_ORDER,
    scope: 'turn',
  });
}
