import type { ToolCallback } from './tool-callback.js';

/** Registered, so that a manager finds it on tools that another copy of the package made; a spread copies it. */
export const TOOL_CHECK: unique symbol = Symbol.for('vernal.tool.check');

/** A tool that can say whether arguments fit without running: what approval asks before a person is asked. */
export interface CheckedToolCallback extends ToolCallback {
  /** Throws what `call` would throw for these arguments. */
  readonly [TOOL_CHECK]: (input: string, toolCallId: string) => Promise<void>;
}

/** Checks the arguments where the tool can; tools written by hand check theirs when they run. */
export async function checkToolArguments(tool: ToolCallback, input: string, toolCallId: string): Promise<void> {
  if (isChecked(tool)) await tool[TOOL_CHECK](input, toolCallId);
}

export function isChecked(tool: ToolCallback): tool is CheckedToolCallback {
  return TOOL_CHECK in tool && typeof tool[TOOL_CHECK] === 'function';
}
