import { VernalError } from './vernal-error.js';

/** `execute` threw, timed out, or was given arguments that its schema refuses. */
export declare class ToolExecutionError extends VernalError {
  readonly toolName: string;
  readonly toolCallId: string;
  /** True: goes to the caller whatever `throwOnError` says. */
  readonly fatal: boolean;
  static override is(value: unknown): value is ToolExecutionError;
}
