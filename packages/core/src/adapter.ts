export { notTheApi, streamInterrupted } from './adapter/answer-faults.js';
export { backOff } from './adapter/back-off.js';
export { changedOptions } from './adapter/changed-options.js';
export type { SchemaLimits } from './adapter/closed-schema.js';
export { closedJsonSchema } from './adapter/closed-schema.js';
export type { DocumentTextOptions } from './adapter/document-text.js';
export { writeDocumentText } from './adapter/document-text.js';
export { isEncoding, requireEncoding } from './adapter/encoding-label.js';
export { ledgerPage } from './adapter/ledger-page.js';
export { markPattern } from './adapter/mark-pattern.js';
export { conversationKey } from './adapter/memory/conversation-key.js';
export type { FindRange } from './adapter/memory/find-range.js';
export { findRange } from './adapter/memory/find-range.js';
export type { InitializeMemorySchema } from './adapter/memory/initialize-schema.js';
export { createsSchema } from './adapter/memory/initialize-schema.js';
export { readableText, restoredText, storableText } from './adapter/memory/storable-text.js';
export type { StoredMessage, StoredMessagePlace } from './adapter/memory/stored-message.js';
export { restoredMessage, storedMessage } from './adapter/memory/stored-message.js';
export type { WriteOutcome } from './adapter/memory/write-outcome.js';
export { writeOutcome } from './adapter/memory/write-outcome.js';
export { modelErrorCode } from './adapter/model-error-code.js';
export type { ModelErrorPlace } from './adapter/model-error-from.js';
export { modelErrorFrom } from './adapter/model-error-from.js';
export { requireCount, requireOptionNames } from './adapter/option-checks.js';
export { partIds } from './adapter/part-ids.js';
export type { ProviderConnection, SdkConnection } from './adapter/provider-connection.js';
export { RateGate } from './adapter/rate-limit/rate-gate.js';
export type { RateLimitClock } from './adapter/rate-limit/rate-limit-clock.js';
export { monotonicClock } from './adapter/rate-limit/rate-limit-clock.js';
export type { Passed, RateLimits } from './adapter/rate-limit/rate-window.js';
export { readAnswer, reportedCount } from './adapter/read-answer.js';
export { readBytes } from './adapter/read-bytes.js';
export { readerLimits } from './adapter/reader-limits.js';
export {
  requireApiKey,
  requireHttpAddress,
  requireModel,
  requireToolName,
  toolCallInput,
} from './adapter/request-checks.js';
export { LONGEST_TIMEOUT_MS, RequestTimeout } from './adapter/request-timeout.js';
export { requireResource, sourceMetadata } from './adapter/resource-source.js';
export { sourcePage } from './adapter/source-page.js';
export type { TextSegment } from './adapter/text-segments.js';
export { textSegments } from './adapter/text-segments.js';
export { begunAt, timedFetch } from './adapter/timed-fetch.js';
