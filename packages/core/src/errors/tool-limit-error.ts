import type { ToolResponse } from '../messages/message.js';
import { brandError, hasErrorBrand, hideField } from './error-brand.js';
import { type CodedErrorOptions, VernalError } from './vernal-error.js';

/** Needs the limit that was reached; the code may be left out. */
export interface ToolLimitErrorOptions extends CodedErrorOptions {
  readonly toolName?: string | undefined;
  readonly limit: number;
  /** Default []. */
  readonly partial?: readonly ToolResponse[] | undefined;
}

/** Too many tool calls in one turn. Default code `tool_limit`. */
export class ToolLimitError extends VernalError {
  /** The tool whose own limit it was; absent for the limit of all. */
  declare readonly toolName?: string;
  /** How many calls were allowed in the turn. */
  declare readonly limit: number;
  /** Answers of this round before the breach. Not enumerable, so that loggers pass them over. */
  declare readonly partial: readonly ToolResponse[];

  constructor(message: string, options: ToolLimitErrorOptions) {
    super(message, { ...options, code: options.code ?? 'tool_limit' });
    brandError(this, 'ToolLimitError');
    if (options.toolName !== undefined) this.toolName = options.toolName;
    this.limit = options.limit;
    hideField(this, 'partial', options.partial ?? []);
  }

  static override is(value: unknown): value is ToolLimitError {
    return hasErrorBrand(value, 'ToolLimitError');
  }
}
