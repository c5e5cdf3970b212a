export type {
  Advisor,
  AdvisorChain,
  AdvisorScope,
  AnyAdvisor,
  CallAdvisor,
  CallAdvisorChain,
  StreamAdvisor,
  StreamAdvisorChain,
} from './advisors/advisor.js';
export {
  DEFAULT_CHAT_MEMORY_ORDER,
  DEFAULT_TOOL_CALLING_ORDER,
  HIGHEST_PRECEDENCE,
  LOWEST_PRECEDENCE,
} from './advisors/advisor-order.js';
export type { AdvisorContext, ChatClientRequest, ChatClientResponse, TurnRun } from './advisors/advisor-request.js';
export { foldClient, withRequest, withResponse } from './advisors/advisor-request.js';
export type { AdvisorPlace } from './advisors/base-advisor.js';
export { BaseAdvisor } from './advisors/base-advisor.js';
export { MessageChatMemoryAdvisor } from './advisors/message-chat-memory-advisor.js';
export { PromptChatMemoryAdvisor } from './advisors/prompt-chat-memory-advisor.js';
export { ReReadingAdvisor } from './advisors/re-reading-advisor.js';
export { SafeGuardAdvisor } from './advisors/safe-guard-advisor.js';
export { SimpleLoggerAdvisor } from './advisors/simple-logger-advisor.js';
export { StructuredOutputValidationAdvisor } from './advisors/structured-output-validation-advisor.js';
export type { ToolCallingAdvisorOptions, ToolRound } from './advisors/tool-calling-advisor.js';
export { ToolCallingAdvisor } from './advisors/tool-calling-advisor.js';
export type { ChunkFilter, Inward } from './chain/advice.js';
export type { OutputFormat } from './chain/output-format.js';
export { OUTPUT_FORMAT } from './chain/output-format.js';
export type {
  AsToolOptions,
  ChatClientBuilder,
  ChatClientConventions,
  ChatClientOptions,
  ChatClientRequestSpec,
} from './client/chat-client.js';
export { ChatClient } from './client/chat-client.js';
export type { AdvisorSource, AdvisorSpec, SystemSpec, UserSpec } from './client/request-specs.js';
export type { CallSpec, EntityOptions, EntityStream, ResponseEntity, StreamSpec } from './client/terminals.js';
