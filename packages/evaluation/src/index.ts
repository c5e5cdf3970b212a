export type {
  ChangedCase,
  CompareRunsOptions,
  EvaluatorComparison,
  RunComparison,
  RunLabel,
} from './compare/compare-runs.js';
export { compareRuns } from './compare/compare-runs.js';
export type {
  EvaluationRequest,
  EvaluationResponse,
  EvaluationResponseInput,
  Evaluator,
  Verdict,
} from './evaluator.js';
export { evaluationResponse } from './evaluator.js';
export { AnswerCorrectnessEvaluator } from './judges/answer-correctness-evaluator.js';
export type { ClaimEvaluatorOptions } from './judges/claim-evaluator-options.js';
export type { ContextPrecisionEvaluatorOptions } from './judges/context-precision-evaluator.js';
export { ContextPrecisionEvaluator } from './judges/context-precision-evaluator.js';
export { ContextRecallEvaluator } from './judges/context-recall-evaluator.js';
export type { FactCheckingEvaluatorOptions } from './judges/fact-checking-evaluator.js';
export { FactCheckingEvaluator } from './judges/fact-checking-evaluator.js';
export { FaithfulnessEvaluator } from './judges/faithfulness-evaluator.js';
export type { JudgeOptions } from './judges/judge.js';
export type { ReadVerdict } from './judges/read-verdict.js';
export { readVerdict } from './judges/read-verdict.js';
export { RelevancyEvaluator } from './judges/relevancy-evaluator.js';
export type { CheckedClaim } from './judges/supported-claims.js';
export type { HtmlReportOptions } from './report/html-report.js';
export { htmlReport } from './report/html-report.js';
export { jsonReport } from './report/json-report.js';
export type { TextReportOptions } from './report/text-report.js';
export { textComparison, textReport } from './report/text-report.js';
export type { ReportOptions } from './report/without-contents.js';
export type {
  EvaluateRetrievalOptions,
  LabelledQuestion,
  Latency,
  RetrievalResult,
  RetrievalRun,
  Retrieve,
} from './retrieval/evaluate-retrieval.js';
export { evaluateRetrieval } from './retrieval/evaluate-retrieval.js';
export type { Relevance } from './retrieval/relevance.js';
export type { RetrievalEvaluatorOptions } from './retrieval/retrieval-evaluator.js';
export { RetrievalEvaluator } from './retrieval/retrieval-evaluator.js';
export type { RetrievalMetricName } from './retrieval/retrieval-metric.js';
export type { JudgedRanking, NdcgOptions } from './retrieval/retrieval-metrics.js';
export {
  averagePrecision,
  hitAtK,
  meanAveragePrecision,
  meanReciprocalRank,
  ndcgAtK,
  precisionAtK,
  recallAtK,
  reciprocalRank,
} from './retrieval/retrieval-metrics.js';
export type { ContainsEvaluatorOptions } from './rules/contains-evaluator.js';
export { ContainsEvaluator } from './rules/contains-evaluator.js';
export type { ExactMatchEvaluatorOptions } from './rules/exact-match-evaluator.js';
export { ExactMatchEvaluator } from './rules/exact-match-evaluator.js';
export type { JsonEqualsEvaluatorOptions } from './rules/json-equals-evaluator.js';
export { JsonEqualsEvaluator } from './rules/json-equals-evaluator.js';
export type { MatchesEvaluatorOptions } from './rules/matches-evaluator.js';
export { MatchesEvaluator } from './rules/matches-evaluator.js';
export type { ToolCallEvaluatorOptions } from './rules/tool-call-evaluator.js';
export { ToolCallEvaluator } from './rules/tool-call-evaluator.js';
export type { ArgumentMatching, ExpectedToolCall, MadeToolCall } from './rules/tool-call-matching.js';
export type { EvaluateOptions } from './run/evaluate.js';
export { evaluate } from './run/evaluate.js';
export type { EvaluationCase, Pipeline, PipelineResult } from './run/evaluation-case.js';
export type { CaseContents, CaseResult, EvaluationRun, EvaluatorSummary, Spent } from './run/evaluation-run.js';
export { pipelineResult } from './run/pipeline-result.js';
export type { ModelPrice, PriceTable } from './run/price-table.js';
export { readRun } from './run/read-run.js';
export type { AnswerSimilarityEvaluatorOptions } from './similarity/answer-similarity-evaluator.js';
export { AnswerSimilarityEvaluator } from './similarity/answer-similarity-evaluator.js';
