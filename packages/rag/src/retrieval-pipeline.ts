import type { Document, JsonValue } from '@vernal/core';
import { safeCause, VernalError } from '@vernal/core';
import { checkedDocuments, checkedList } from './checked-list.js';
import { concurrentCalls } from './concurrent-calls.js';
import { errorCode } from './error-code.js';
import type { NamedPart } from './named-part.js';
import type {
  DocumentJoiner,
  DocumentPostProcessor,
  DocumentRetriever,
  QueryAugmenter,
  QueryExpander,
  QueryTransformer,
  RetrievedDocuments,
} from './parts.js';
import type { Query } from './query.js';
import { augmentationFacts, documentFacts, expansionFacts, joinFacts, queryFacts } from './step-facts.js';
import type { StepRun } from './step-run.js';

/** What a pipeline is made of. */
export interface PipelineParts {
  readonly transformers: readonly NamedPart<QueryTransformer['transform']>[];
  readonly expander: NamedPart<QueryExpander['expand']> | undefined;
  readonly retrievers: readonly NamedPart<DocumentRetriever['retrieve']>[];
  readonly joiner: NamedPart<DocumentJoiner['join']>;
  readonly postProcessors: readonly NamedPart<DocumentPostProcessor['process']>[];
  readonly augmenter: NamedPart<QueryAugmenter['augment']>;
  /** Retrievals at a time. */
  readonly concurrency: number;
}

/** What became of one question. */
export interface AugmentedQuestion {
  /** What the model is to be asked. */
  readonly text: string;
  readonly documents: readonly Document[];
}

interface Retrieval {
  readonly query: Query;
  readonly retriever: NamedPart<DocumentRetriever['retrieve']>;
}

interface Failure {
  readonly retriever: number;
  readonly error: unknown;
}

/**
 * The steps from a question to what the model is asked. What is searched with is rewritten and expanded; what post-processors and the
 * augmenter are given is the question itself. Source: Spring AI `RetrievalAugmentationAdvisor`; Gao et al., Modular RAG, arXiv:2407.21059.
 */
export class RetrievalPipeline {
  readonly #parts: PipelineParts;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
  }

  async run(question: Query, steps: StepRun): Promise<AugmentedQuestion> {
    const queries = await this.#expanded(await this.#transformed(question, steps), steps);
    const results = await this.#retrieved(queries, steps);
    const documents = await this.#processed(question, await this.#joined(results, steps), steps);
    const { augmenter } = this.#parts;
    const { text } = await steps.run(
      augmenter,
      async (context) => checkedQuery(await augmenter.run(question, documents, context), 'queryAugmenter'),
      augmentationFacts(question, documents),
    );
    return { text, documents };
  }

  async #transformed(question: Query, steps: StepRun): Promise<Query> {
    let query = question;
    for (const transformer of this.#parts.transformers) {
      const current = query;
      const transformed = await steps.attempt(
        transformer,
        async (context) => checkedQuery(await transformer.run(current, context), transformer.name),
        queryFacts(current),
      );
      query = transformed ?? current;
    }
    return query;
  }

  async #expanded(query: Query, steps: StepRun): Promise<readonly Query[]> {
    const { expander } = this.#parts;
    if (expander === undefined) return [query];
    const queries = await steps.attempt(
      expander,
      async (context) =>
        checkedList(await expander.run(query, context), expander.name).map((one) => checkedQuery(one, expander.name)),
      expansionFacts(query),
    );
    return queries === undefined || queries.length === 0 ? [query] : queries;
  }

  /** One entry for each query and retriever that gave a list, in the order of both. */
  async #retrieved(queries: readonly Query[], steps: StepRun): Promise<readonly RetrievedDocuments[]> {
    const { retrievers, concurrency } = this.#parts;
    const retrievals: Retrieval[] = queries.flatMap((query) => retrievers.map((retriever) => ({ query, retriever })));
    const outcomes = await concurrentCalls(retrievals, concurrency, steps.signal, (retrieval, signal) =>
      retrieve(retrieval, steps, signal),
    );
    const results = outcomes.filter((outcome): outcome is RetrievedDocuments => 'documents' in outcome);
    if (results.length > 0) return results;
    throw nothingSearched(
      retrievers,
      outcomes.filter((outcome): outcome is Failure => 'error' in outcome),
    );
  }

  #joined(results: readonly RetrievedDocuments[], steps: StepRun): Promise<readonly Document[]> {
    const { joiner } = this.#parts;
    return steps.run(
      joiner,
      async (context) => checkedDocuments(await joiner.run(results, context), joiner.name),
      joinFacts(results),
    );
  }

  async #processed(question: Query, joined: readonly Document[], steps: StepRun): Promise<readonly Document[]> {
    let documents = joined;
    for (const processor of this.#parts.postProcessors) {
      const current = documents;
      const processed = await steps.attempt(
        processor,
        async (context) => checkedDocuments(await processor.run(question, current, context), processor.name),
        documentFacts(question, current.length),
      );
      documents = processed ?? current;
    }
    return documents;
  }
}

async function retrieve(
  { query, retriever }: Retrieval,
  steps: StepRun,
  signal: AbortSignal | undefined,
): Promise<RetrievedDocuments | Failure> {
  try {
    const documents = await steps.run(
      retriever,
      async (context) => checkedDocuments(await retriever.run(query, context), retriever.name),
      documentFacts(query),
      signal,
    );
    return { query, retriever: retriever.index, documents };
  } catch (error) {
    steps.degrade(retriever, error);
    return { retriever: retriever.index, error };
  }
}

/** Parts of untyped callers forget to return. */
function checkedQuery(given: Query | undefined, subject: string): Query {
  if (typeof given?.text === 'string' && given.text.trim() !== '') return given;
  throw new VernalError(`${subject} gave no query: it has to return one with a text`, {
    code: 'invalid_state',
    subject,
  });
}

/** To answer "I do not know" for a store that is down would mislead. */
function nothingSearched(retrievers: readonly NamedPart<unknown>[], failures: readonly Failure[]): VernalError {
  const errors = failures.map(({ error }) => error);
  const codes = errors.map(errorCode);
  const details: Record<string, JsonValue> = {
    failures: failures.map(({ retriever }, i) => ({
      retriever,
      name: retrievers[retriever]?.name ?? '',
      code: codes[i] ?? 'Error',
    })),
  };
  const [first] = errors;
  const words = VernalError.is(first)
    ? ''
    : ", without its words since they may quote (onError: 'throw' gives it as it is)";
  return new VernalError(
    `Nothing could be searched: every retrieval failed (${[...new Set(codes)].join(', ')}). See the cause${words}, or add a retriever that stands in`,
    {
      code: 'retrieval',
      subject: 'documentRetriever',
      details,
      retryable: errors.every((error) => VernalError.is(error) && error.retryable),
      cause: safeCause(first),
    },
  );
}
