import type { JsonValue } from '../json/json-value.js';

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

/** The base of every error thrown on purpose. Told apart by a registered symbol, never by `instanceof`: two copies of a package agree. */
export declare class VernalError extends Error {
  constructor(message: string, options: VernalErrorOptions);
  readonly code: VernalErrorCode;
  readonly subject?: string;
  readonly details: Readonly<Record<string, JsonValue>>;
  readonly retryable: boolean;
  /** Milliseconds. */
  readonly retryAfterMs?: number;
  static is(value: unknown): value is VernalError;
}
