import { type CallContext, contextValue, type Document } from '@vernal/core';
import { LocalRerankModel } from '@vernal/model-local';
import {
  CompressionQueryTransformer,
  ContextualQueryAugmenter,
  type DocumentPostProcessor,
  type DocumentPostProcessorLike,
  type DocumentRetrieverLike,
  dedupe,
  documentsWithText,
  type LlmPartOptions,
  MultiQueryExpander,
  neighbours,
  type Query,
  type QueryExpanderLike,
  type QueryTransformerLike,
  RAG_DOCUMENT_CONTEXT,
  ReciprocalRankFusionJoiner,
  RelativeScoreFusionJoiner,
  RetrievalAugmentationAdvisor,
  rerank,
  tokenBudget,
  topDocuments,
  VectorStoreDocumentRetriever,
} from '@vernal/rag';
import { loadTokenCountEstimator } from '@vernal/tokenizer';
import type { SearchMode, SimpleVectorStore } from '@vernal/vector-store';
import { countingModel } from '../models/counting-model.js';
import type { Session } from '../session.js';
import { PASSAGES, type Retrieval } from './retrieval.js';
import { stepLog } from './step-log.js';

/** Passages that each search gives. */
const CANDIDATES = 50;
/** Of all that was found, the passages that are reranked. */
const RERANKED = 32;
/** How alike two passages are that say the same: a page and its copy, a chunk and one that overlaps it. */
const SAME = 0.8;
/** What all passages may have together, their neighbours with them. */
const TOKENS = 4_000;

/**
 * Retrieval in steps. A model that can write makes of a question that goes on from the conversation one that stands by itself, and asks it in
 * several ways; each is searched by meaning and by words; all that was found is joined by rank, reranked, rid of what is there twice, cut, and
 * kept within a budget of tokens. A model that can write is also shown what stands around a passage; the embedded one would only quote it. A
 * step that fails is left out, and the logger is told.
 */
export async function advancedRetrieval(
  store: SimpleVectorStore,
  { writer, logger, verbose }: Session,
  remembers: boolean,
): Promise<Retrieval> {
  const counting = writer === undefined ? undefined : countingModel(writer.model);
  const asking = counting && { model: counting.model, options: writer?.options, logger };
  const searched: SearchedQueries = new WeakMap();
  const around = asking === undefined ? [] : [step('neighbours', neighbours({ source: store }))];
  const estimator = await loadTokenCountEstimator();
  const advisor = new RetrievalAugmentationAdvisor({
    queryTransformers: remembers && asking !== undefined ? [compression(asking, searched)] : [],
    queryExpander: asking && expansion(asking, searched),
    documentRetriever: [search('vector', store), search('keyword', store)],
    documentJoiner: new ReciprocalRankFusionJoiner(),
    documentPostProcessors: [
      step('candidates', topDocuments({ topN: RERANKED })),
      step('rerank', reranking(searched)),
      step('dedupe', dedupe({ similarity: SAME })),
      step('top', topDocuments({ topN: PASSAGES })),
      ...around,
      step('tokenBudget', tokenBudget({ maxTokens: TOKENS, estimator, countMarks: true })),
    ],
    queryAugmenter: new ContextualQueryAugmenter({ citations: true }),
    observationRegistry: verbose ? stepLog(logger) : undefined,
    logger,
  });
  return {
    advisor,
    documentsIn(context) {
      const documents = contextValue(context, RAG_DOCUMENT_CONTEXT);
      return documents && documentsWithText(documents);
    },
    takeUsage: () => counting?.takeUsage() ?? {},
  };
}

/** What a question was searched as, by its context, which stays the same object from step to step. */
type SearchedQueries = WeakMap<Query['context'], readonly Query[]>;

function compression(asking: LlmPartOptions, searched: SearchedQueries): QueryTransformerLike {
  const transformer = new CompressionQueryTransformer(asking);
  return called('CompressionQueryTransformer', async (query: Query, context?: CallContext) => {
    const compressed = await transformer.transform(query, context);
    searched.set(query.context, [compressed]);
    return compressed;
  });
}

function expansion(asking: LlmPartOptions, searched: SearchedQueries): QueryExpanderLike {
  const expander = new MultiQueryExpander(asking);
  return called('MultiQueryExpander', async (query: Query, context?: CallContext) => {
    const queries = await expander.expand(query, context);
    searched.set(query.context, queries);
    return queries;
  });
}

function search(mode: SearchMode, vectorStore: SimpleVectorStore): DocumentRetrieverLike {
  const retriever = new VectorStoreDocumentRetriever({ vectorStore, topK: CANDIDATES, mode });
  return called(mode, (query: Query, context?: CallContext) => retriever.retrieve(query, context));
}

/**
 * The embedded reranker knows which words belong together and not what a sentence says: its scores are joined evenly with those of the search.
 * In their place they find as much on some questions and less on others, and the embedded model then answers what it should refuse. It is asked
 * all that was searched for: "And how much is it?" says nothing to it, and what was found by other words would be thrown out by those of the
 * question.
 */
function reranking(searched: SearchedQueries): DocumentPostProcessor {
  const reranker = rerank(new LocalRerankModel());
  return {
    async process(question, documents, context) {
      const queries = searched.get(question.context) ?? [question];
      const reranked = await Promise.all(queries.map((query) => reranker.process(query, documents, context)));
      const joiner = new RelativeScoreFusionJoiner({ weights: [queries.length, ...queries.map(() => 1)] });
      return joiner.join(
        [documents, ...reranked].map((list, retriever) => ({ query: question, retriever, documents: list })),
      );
    },
  };
}

function step(name: string, { process }: DocumentPostProcessor): DocumentPostProcessorLike {
  return called(name, (query: Query, documents: readonly Document[], context?: CallContext) =>
    process(query, documents, context),
  );
}

/** The advisor calls parts that are functions by their names. */
function called<Part extends object>(name: string, part: Part): Part {
  return Object.defineProperty(part, 'name', { value: name });
}
