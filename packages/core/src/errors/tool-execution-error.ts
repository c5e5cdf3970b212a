import { brandError, hasErrorBrand } from './error-brand.js';
import { type CodedErrorOptions, VernalError } from './vernal-error.js';

/** Needs the tool's name; the code may be left out. */
export interface ToolExecutionErrorOptions extends CodedErrorOptions {
  readonly toolName: string;
  /** Default '', for a tool that was called without a context. */
  readonly toolCallId?: string | undefined;
  /** Default false. */
  readonly fatal?: boolean | undefined;
}

/** `execute` threw, timed out, or was given arguments that its schema refuses. Default code `tool_execution`. */
export class ToolExecutionError extends VernalError {
  /** The tool that failed. */
  declare readonly toolName: string;
  /** The model's id of the call; '' for a tool that was called without a context. */
  declare readonly toolCallId: string;
  /** True: goes to the caller whatever `throwOnError` says. */
  declare readonly fatal: boolean;

  constructor(message: string, options: ToolExecutionErrorOptions) {
    super(message, { ...options, code: options.code ?? 'tool_execution' });
    brandError(this, 'ToolExecutionError');
    this.toolName = options.toolName;
    this.toolCallId = options.toolCallId ?? '';
    this.fatal = options.fatal ?? false;
  }

  static override is(value: unknown): value is ToolExecutionError {
    return hasErrorBrand(value, 'ToolExecutionError');
  }
}
