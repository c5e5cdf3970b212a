import { DEFAULT_CHAT_MEMORY_ORDER, DEFAULT_TOOL_CALLING_ORDER } from './advisor-order.js';
import type { AdvisorPlace } from './base-advisor.js';

/** Where a memory stands unless told: around the tool loop; with scope 'round', right inside. */
export function memoryPlace({ scope }: AdvisorPlace): AdvisorPlace {
  const order = scope === 'round' ? DEFAULT_TOOL_CALLING_ORDER + 1 : DEFAULT_CHAT_MEMORY_ORDER;
  return { order, scope: 'turn' };
}
