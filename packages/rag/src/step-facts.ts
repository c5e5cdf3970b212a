import type { Document } from '@vernal/core';
import type { RetrievedDocuments } from './parts.js';
import type { Query } from './query.js';
import type { StepFacts } from './step-run.js';

/** Facts of a step that makes a query of a query. */
export function queryFacts({ text }: Query): StepFacts<Query> {
  return {
    before: (content) => (content ? { query: text } : {}),
    after: (result, content) => (content ? { queries: [result.text] } : {}),
  };
}

/** Facts of the step that makes several. */
export function expansionFacts({ text }: Query): StepFacts<readonly Query[]> {
  return {
    before: (content) => (content ? { query: text } : {}),
    after: (queries, content) => ({
      queryCount: queries.length,
      ...(content && { queries: queries.map((one) => one.text) }),
    }),
  };
}

/** Facts of a step that gives documents; `given` is how many went in, for a step that is given some. */
export function documentFacts(query: Query | undefined, given?: number): StepFacts<readonly Document[]> {
  return {
    before: (content) => ({
      ...(given !== undefined && { inputCount: given }),
      ...(content && query !== undefined && { query: query.text }),
    }),
    after: (documents, content) => ({ count: documents.length, ...(content && { documents }) }),
  };
}

/** Facts of the step that makes one list of several. */
export function joinFacts(results: readonly RetrievedDocuments[]): StepFacts<readonly Document[]> {
  return documentFacts(
    undefined,
    results.reduce((sum, { documents }) => sum + documents.length, 0),
  );
}

/** Facts of the step that puts the question with the documents. */
export function augmentationFacts(query: Query, documents: readonly Document[]): StepFacts<Query> {
  const facts = queryFacts(query);
  return { ...facts, before: (content) => ({ inputCount: documents.length, ...facts.before(content) }) };
}
