export interface ToolLimits {
  /** Calls of one tool a turn. Default 40; 'unlimited' is said, not guessed. */
  readonly perTool?: number | 'unlimited' | undefined;
  readonly perToolOverrides?: Readonly<Record<string, number | 'unlimited'>> | undefined;
  /** Calls of all tools a turn. Default 150. */
  readonly total?: number | 'unlimited' | undefined;
  /**
   * 'stop' (default): the advisor ends the turn with finish reason 'tool_call_limit'; a manager used by hand throws `ToolLimitError`.
   * 'answer': the model is told, once; the next breach stops. 'throw': `ToolLimitError` in either case.
   */
  readonly onExceeded?: 'stop' | 'answer' | 'throw' | undefined;
}
