export type { ResolvedSpeechOptions, SpeechModel, SpeechOptions, SpeechResponse } from './audio/speech-model.js';
export type {
  ResolvedTranscriptionOptions,
  TranscriptionModel,
  TranscriptionOptions,
  TranscriptionResponse,
  TranscriptionSegment,
} from './audio/transcription-model.js';
export { abortError, throwIfAborted, untilAborted } from './context/abort-error.js';
export type { CallContext } from './context/call-context.js';
export type { ContextKey } from './context/context-key.js';
export { contextKey, contextValue } from './context/context-key.js';
export type { ContentFormat, MetadataMode } from './documents/content-format.js';
export { formatDocument } from './documents/content-format.js';
export type { Document, DocumentInput } from './documents/document.js';
export { contentId, document, withDocument } from './documents/document.js';
export type { DocumentReader, Documents, DocumentTransformer, DocumentWriter } from './documents/document-pipeline.js';
export type {
  IngestedVersion,
  IngestLedger,
  LedgerEntry,
  LedgerPage,
  PendingVersion,
  StoredLedgerEntry,
} from './documents/ingest-ledger.js';
export { TextSplitter } from './documents/text-splitter.js';
export type { BaseEmbeddingModelOptions, EmbeddingModelRequest } from './embedding/base-embedding-model.js';
export { BaseEmbeddingModel } from './embedding/base-embedding-model.js';
export type { BatchingStrategy, TokenCountEstimator } from './embedding/batching-strategy.js';
export type { EmbedDocumentsOptions } from './embedding/embed-documents.js';
export { embedDocuments } from './embedding/embed-documents.js';
export type {
  DocumentEmbeddingModel,
  Embedding,
  EmbeddingModel,
  EmbeddingOptions,
  EmbeddingRequest,
  EmbeddingResponse,
  ResolvedEmbeddingOptions,
} from './embedding/embedding-model.js';
export type { BatchErrorOptions } from './errors/batch-error.js';
export { BatchError } from './errors/batch-error.js';
export type { ConversationConflictErrorOptions } from './errors/conversation-conflict-error.js';
export { ConversationConflictError } from './errors/conversation-conflict-error.js';
export type { EmbeddingErrorOptions } from './errors/embedding-error.js';
export { EmbeddingError } from './errors/embedding-error.js';
export { invalidArgument } from './errors/invalid-argument.js';
export type { MemoryWriteErrorOptions } from './errors/memory-write-error.js';
export { MemoryWriteError } from './errors/memory-write-error.js';
export type { ModelErrorOptions } from './errors/model-error.js';
export { ModelError } from './errors/model-error.js';
export { isRetryableStatus } from './errors/retryable-status.js';
export { safeCause } from './errors/safe-cause.js';
export type { StructuredOutputErrorOptions } from './errors/structured-output-error.js';
export { StructuredOutputError } from './errors/structured-output-error.js';
export type { TemplateErrorOptions } from './errors/template-error.js';
export { TemplateError } from './errors/template-error.js';
export type { ToolExecutionErrorOptions } from './errors/tool-execution-error.js';
export { ToolExecutionError } from './errors/tool-execution-error.js';
export type { ToolLimitErrorOptions } from './errors/tool-limit-error.js';
export { ToolLimitError } from './errors/tool-limit-error.js';
export type { UnsupportedCapabilityErrorOptions } from './errors/unsupported-capability-error.js';
export { UnsupportedCapabilityError } from './errors/unsupported-capability-error.js';
export type { CodedErrorOptions, VernalErrorCode, VernalErrorOptions } from './errors/vernal-error.js';
export { VernalError } from './errors/vernal-error.js';
export type {
  ImageGeneration,
  ImageModel,
  ImageOptions,
  ImagePrompt,
  ImageResponse,
  ResolvedImageOptions,
} from './image/image-model.js';
export { canonicalJson } from './json/canonical-json.js';
export { isJsonValue } from './json/is-json-value.js';
export type { JsonRecord } from './json/json-record.js';
export { isRecord } from './json/json-record.js';
export type {
  Input,
  JsonInput,
  JsonInputObject,
  JsonObject,
  JsonPrimitive,
  JsonSchema,
  JsonValue,
} from './json/json-value.js';
export type { Metadata, MetadataInput } from './json/metadata.js';
export { toJsonValue } from './json/to-json-value.js';
export type { Logger } from './logging/logger.js';
export { noopLogger } from './logging/logger.js';
export { safeLogger } from './logging/safe-logger.js';
export type { Media, MediaOptions, MediaSource, MimeType } from './media/media.js';
export { media, mediaBase64, mediaBytes, mediaFrom } from './media/media.js';
export type { ChatMemory, SignalOptions } from './memory/chat-memory.js';
export { CONVERSATION_ID } from './memory/chat-memory.js';
export type {
  ChatMemoryRepository,
  ConversationSlice,
  DeleteBeforeOptions,
  FindMessagesOptions,
  WriteOptions,
} from './memory/chat-memory-repository.js';
export { checkFind, checkWrite } from './memory/check-write.js';
export { checkConversationId } from './memory/conversation-id.js';
export type { CopiedConversations, ForeignConversation } from './memory/copy-conversations.js';
export { copyConversations } from './memory/copy-conversations.js';
export { InMemoryChatMemoryRepository } from './memory/in-memory-chat-memory-repository.js';
export type { WindowOptions } from './memory/message-window-chat-memory.js';
export { MessageWindowChatMemory } from './memory/message-window-chat-memory.js';
export { SummarizingChatMemory } from './memory/summarizing-chat-memory.js';
export { TokenWindowChatMemory } from './memory/token-window-chat-memory.js';
export type {
  AssistantMessage,
  Message,
  MessageType,
  ReasoningPart,
  SystemMessage,
  ToolCall,
  ToolResponse,
  ToolResponseMessage,
  UserMessage,
} from './messages/message.js';
export { decodeMessage, encodeMessage, MESSAGE_VERSION } from './messages/message-codec.js';
export { messageEquals } from './messages/message-equals.js';
export type { AssistantMessageInput, MessageOptions, ToolResponseInput } from './messages/message-factories.js';
export {
  assistantMessage,
  messageText,
  systemMessage,
  toolResponseMessage,
  userMessage,
} from './messages/message-factories.js';
export type { BaseChatModelOptions, ModelRequest } from './model/base-chat-model.js';
export { BaseChatModel } from './model/base-chat-model.js';
export type { ChatModel, ChatModelCapabilities } from './model/chat-model.js';
export { callText, TEXT_ONLY } from './model/chat-model.js';
export { withTools } from './model/with-tools.js';
export type {
  ModerationModel,
  ModerationOptions,
  ModerationResponse,
  ModerationResult,
} from './moderation/moderation-model.js';
export type {
  Observation,
  ObservationData,
  ObservationKind,
  ObservationRegistry,
  ObservationStart,
  TraceContext,
} from './observation/observation.js';
export { noopObservationRegistry } from './observation/observation.js';
export type {
  AdvisorObservationData,
  ChatClientObservationData,
  ChatModelObservationData,
  McpObservationData,
  RagObservationData,
  ToolObservationData,
  VectorStoreObservationData,
} from './observation/observation-data.js';
export { SafeObservation, startSafely } from './observation/safe-observation.js';
export type { ChatOptions, ResolvedChatOptions, Setting, Settings, ToolChoice } from './options/chat-options.js';
export type { ChatOptionsFactory } from './options/chat-options-factory.js';
export { chatOptionsFactory } from './options/chat-options-factory.js';
export { mergeChatOptions, overlayChatOptions } from './options/merge-chat-options.js';
export { listConverter } from './output/list-converter.js';
export { mapConverter } from './output/map-converter.js';
export type { DeepPartial } from './output/partial-json.js';
export { PartialJsonReader, parsePartialJson } from './output/partial-json.js';
export { schemaConverter } from './output/schema-converter.js';
export type { ConverterOptions, StructuredOutputConverter } from './output/structured-output-converter.js';
export type { TextCleaner } from './output/text-cleaner.js';
export { defaultCleaners } from './output/text-cleaner.js';
export { Prompt } from './prompt/prompt.js';
export type { RerankModel, RerankOptions } from './rerank/rerank-model.js';
export type { DecodedText, DecodeTextOptions, TextOptions } from './resource/decode-text.js';
export { decodeText } from './resource/decode-text.js';
export { joinBytes } from './resource/join-bytes.js';
export type { ReadTextOptions } from './resource/read-text.js';
export { readText, streamText } from './resource/read-text.js';
export type { Resource, ResourceOptions, WritableResource } from './resource/resource.js';
export { bytesResource } from './resource/resource.js';
export { resourceName } from './resource/resource-name.js';
export { resourcePieces } from './resource/resource-pieces.js';
export { charsetOf } from './resource/text-encoding.js';
export type { UrlResourceOptions } from './resource/url-resource.js';
export { urlResource } from './resource/url-resource.js';
export type {
  ChatResponse,
  ChatResponseMetadata,
  ChatResponseMetadataInput,
  FinishReason,
  Generation,
  GenerationInput,
  GenerationMetadata,
  RateLimit,
  ToolCallDelta,
} from './responses/chat-response.js';
export { callsTools, chatResponse, hasFinishReason, hasToolCalls, responseText } from './responses/chat-response.js';
export type { ResponseFold } from './responses/fold.js';
export { fold, foldTap, responseFold } from './responses/fold.js';
export { decodeResponse, encodeResponse } from './responses/response-codec.js';
export type { Usage } from './responses/usage.js';
export { addUsage } from './responses/usage.js';
export { retry, retryStream } from './retry/retry.js';
export { retryAfterMs } from './retry/retry-after.js';
export type { RetryOptions, RetryPolicy } from './retry/retry-policy.js';
export { noRetry } from './retry/retry-policy.js';
export { sleep } from './retry/sleep.js';
export { jsonSchema, toJsonSchema, withJsonSchema } from './schema/json-schema.js';
export type { JsonSchemaValidator } from './schema/json-schema-validator.js';
export type {
  AnySchema,
  AnySchemaWithJson,
  InferInput,
  InferOutput,
  JsonSchemaConverter,
  Schema,
  SchemaIssue,
  SchemaProps,
  SchemaPropsWithJson,
  SchemaResult,
  SchemaTypes,
  SchemaWithJson,
} from './schema/standard-schema.js';
export { bodyChunks } from './streams/body-chunks.js';
export { ChatPromptTemplate } from './templates/chat-prompt-template.js';
export type { DefaultRendererOptions } from './templates/default-renderer.js';
export { defaultRenderer } from './templates/default-renderer.js';
export type { TemplateOptions } from './templates/prompt-template.js';
export { PromptTemplate, requirePlaceholders } from './templates/prompt-template.js';
export { AssistantPromptTemplate, SystemPromptTemplate } from './templates/role-prompt-templates.js';
export type { TemplateRenderer, TemplateVariables } from './templates/template-renderer.js';
export { noopRenderer } from './templates/template-renderer.js';
export type { ApprovalDecision, ApprovalDecisions, ApproveTool, PendingApproval } from './tools/approval.js';
export { augmentTools } from './tools/augment-tools.js';
export { convertToolResult } from './tools/convert-tool-result.js';
export type { NoInput, ToolOptions, ToolSettings } from './tools/tool.js';
export { tool } from './tools/tool.js';
export type {
  ToolCallback,
  ToolCallbackProvider,
  ToolContext,
  ToolDefinition,
  ToolMetadata,
  ToolObject,
  ToolResult,
  ToolSource,
} from './tools/tool-callback.js';
export type {
  ToolCallingManagerOptions,
  ToolExecutionExceptionProcessor,
  ToolExecutionResult,
} from './tools/tool-calling-manager.js';
export { ToolCallingManager } from './tools/tool-calling-manager.js';
export type { ToolDecorator, ToolDecoratorOptions } from './tools/tool-decorator.js';
export { Tool, toolsFrom } from './tools/tool-decorator.js';
export type { ToolLimits } from './tools/tool-limits.js';
export { isPortableToolName } from './tools/tool-name.js';
export type { ToolCallbackResolver } from './tools/tool-resolver.js';
export { delegatingToolResolver, staticToolResolver } from './tools/tool-resolver.js';
export type { ToolRoundOutcome } from './tools/tool-round.js';
export { resumeToolRound, runToolRound } from './tools/tool-round.js';
export { flattenToolSources } from './tools/tool-sources.js';
