export { LONG_TERM_MEMORY_TEMPLATE } from './chat-memory-entries.js';
export type { QuestionAnswerAdvisorOptions } from './question-answer-advisor.js';
export { QA_FILTER_EXPRESSION, QA_RETRIEVED_DOCUMENTS, QuestionAnswerAdvisor } from './question-answer-advisor.js';
export { QUESTION_ANSWER_TEMPLATE } from './question-answer-template.js';
export type { ClearCacheOptions, SemanticCacheAdvisorOptions } from './semantic-cache-advisor.js';
export { SemanticCacheAdvisor } from './semantic-cache-advisor.js';
export type { ClearMemoryOptions, VectorStoreChatMemoryAdvisorOptions } from './vector-store-chat-memory-advisor.js';
export { CHAT_MEMORY_VECTOR_STORE_TOP_K, VectorStoreChatMemoryAdvisor } from './vector-store-chat-memory-advisor.js';
