import type { ToolContext } from './tool-callback.js';

const NO_VALUES: Readonly<Record<string, unknown>> = Object.freeze({});
const NO_MESSAGES: readonly never[] = Object.freeze([]);

/** For a tool that is called by hand without one: no values, and a signal that never aborts. */
export function emptyToolContext(): ToolContext {
  let signal: AbortSignal | undefined;
  return {
    values: NO_VALUES,
    toolCallId: '',
    messages: NO_MESSAGES,
    // Its own, and made only if asked for: listeners on a shared one would pile up.
    get signal() {
      signal ??= new AbortController().signal;
      return signal;
    },
  };
}
