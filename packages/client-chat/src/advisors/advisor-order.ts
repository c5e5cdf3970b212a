/** -2,147,483,648 and 2,147,483,647, as in Spring AI. Lower is further out. Source: Spring's `Ordered`. */
export const HIGHEST_PRECEDENCE: number = -2_147_483_648;

/** Furthest in, next to the model. */
export const LOWEST_PRECEDENCE: number = 2_147_483_647;

/** `HIGHEST_PRECEDENCE + 200`. */
export const DEFAULT_CHAT_MEMORY_ORDER: number = HIGHEST_PRECEDENCE + 200;

/** `HIGHEST_PRECEDENCE + 300`. */
export const DEFAULT_TOOL_CALLING_ORDER: number = HIGHEST_PRECEDENCE + 300;
