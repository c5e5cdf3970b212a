import type { ToolResponse } from '../messages/message.js';
import { VernalError } from './vernal-error.js';

/** Too many tool calls in one turn. */
export declare class ToolLimitError extends VernalError {
  /** The tool whose own limit it was; absent for the limit of all. */
  readonly toolName?: string;
  readonly limit: number;
  /** Answers of this round before the breach. */
  readonly partial: readonly ToolResponse[];
  static override is(value: unknown): value is ToolLimitError;
}
