import { neverAborted } from '../context/never-aborted.js';
import type { ToolContext } from './tool-callback.js';

const NO_VALUES: Readonly<Record<string, unknown>> = Object.freeze({});
const NO_MESSAGES: readonly never[] = Object.freeze([]);

/** For a tool that is called by hand without one: no values, and a signal that never aborts. */
export function emptyToolContext(): ToolContext {
  return { values: NO_VALUES, toolCallId: '', messages: NO_MESSAGES, signal: neverAborted() };
}
