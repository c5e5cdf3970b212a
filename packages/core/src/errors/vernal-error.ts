import type { JsonValue } from '../json/json-value.js';
import { brandError, hasErrorBrand } from './error-brand.js';

/** Stable codes: adding one is a minor release, changing one is a major release. Adapters may add their own. */
export type VernalErrorCode =
  | 'invalid_argument'
  | 'invalid_state'
  | 'unsupported_capability'
  | 'aborted'
  | 'timeout'
  | 'schema_without_json_schema'
  | 'structured_output'
  | 'template'
  | 'model_authentication'
  | 'model_rate_limit'
  | 'model_overloaded'
  | 'model_bad_request'
  | 'model_not_found'
  | 'model_content_filter'
  | 'model_connection'
  | 'model_stream_interrupted'
  | 'model_error'
  | 'tool_execution'
  | 'tool_not_found'
  | 'tool_limit'
  | 'approval_required'
  | 'approval_invalid'
  | 'missing_conversation_id'
  | 'conversation_conflict'
  | 'message_version'
  | 'filter_parse'
  | 'filter_invalid'
  | 'store_write'
  | 'store_read'
  | 'embedding'
  | 'resource'
  | (string & {});

/** Needs a code; everything else helps whoever reads or handles the error. */
export interface VernalErrorOptions {
  readonly code: VernalErrorCode;
  /** The name of the offending option, argument or field. Never its value when that may be a secret or prompt content. */
  readonly subject?: string | undefined;
  /** JSON-safe facts for machines; the same secrecy rule holds. */
  readonly details?: Readonly<Record<string, JsonValue>> | undefined;
  /** True when the same call may succeed later unchanged. Default false. */
  readonly retryable?: boolean | undefined;
  /** From Retry-After, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Options of the subclasses, which know their own code. */
export interface CodedErrorOptions extends Omit<VernalErrorOptions, 'code'> {
  readonly code?: VernalErrorCode | undefined;
}

const NO_DETAILS: Readonly<Record<string, JsonValue>> = Object.freeze({});

/**
 * The base of every error thrown on purpose. Told apart by a registered symbol, never by `instanceof`: two copies of a package agree.
 *
 * @example
 * try {
 *   await client.prompt('hi').call().content();
 * } catch (error) {
 *   if (VernalError.is(error) && error.code === 'model_rate_limit') await later(error.retryAfterMs ?? 1_000);
 *   else throw error;
 * }
 */
export class VernalError extends Error {
  /** Stable: branch on this, never on the message. */
  declare readonly code: VernalErrorCode;
  /** The name of the offending option, argument or field. */
  declare readonly subject?: string;
  /** JSON-safe facts for machines; {} when there are none. */
  declare readonly details: Readonly<Record<string, JsonValue>>;
  /** True when the same call may succeed later unchanged. */
  declare readonly retryable: boolean;
  /** Milliseconds. */
  declare readonly retryAfterMs?: number;

  constructor(message: string, options: VernalErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    brandError(this, 'VernalError');
    this.code = options.code;
    if (options.subject !== undefined) this.subject = options.subject;
    this.details = options.details ?? NO_DETAILS;
    this.retryable = options.retryable ?? false;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }

  /** True for errors of any copy of this package, subclasses included. */
  static is(value: unknown): value is VernalError {
    return hasErrorBrand(value, 'VernalError');
  }
}
