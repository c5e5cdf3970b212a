/** -2,147,483,648 and 2,147,483,647, as in Spring AI. Lower is further out. */
export declare const HIGHEST_PRECEDENCE: number;

export declare const LOWEST_PRECEDENCE: number;

/** `HIGHEST_PRECEDENCE + 200`. */
export declare const DEFAULT_CHAT_MEMORY_ORDER: number;

/** `HIGHEST_PRECEDENCE + 300`. */
export declare const DEFAULT_TOOL_CALLING_ORDER: number;
