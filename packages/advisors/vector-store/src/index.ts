export { renderDocuments } from './document-block.js';
export type { QuestionAnswerAdvisorOptions } from './question-answer-advisor.js';
export { QA_FILTER_EXPRESSION, QA_RETRIEVED_DOCUMENTS, QuestionAnswerAdvisor } from './question-answer-advisor.js';
export { QUESTION_ANSWER_TEMPLATE } from './question-answer-template.js';
