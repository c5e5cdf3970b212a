import type {
  AdvisorPlace,
  AnyAdvisor,
  CallAdvisorChain,
  ChatClientRequest,
  ChatClientResponse,
  Inward,
  StreamAdvisorChain,
} from '@vernal/client-chat';
import { BaseAdvisor, withRequest, withResponse } from '@vernal/client-chat';
import type { Document, Logger, Message, ObservationRegistry, Prompt } from '@vernal/core';
import { contextValue, invalidArgument, safeLogger } from '@vernal/core';
import { ConcatenationDocumentJoiner } from './concatenation-document-joiner.js';
import { ContextualQueryAugmenter } from './contextual-query-augmenter.js';
import {
  augmenterPart,
  expanderPart,
  joinerPart,
  postProcessorPart,
  retrieverPart,
  transformerPart,
} from './named-part.js';
import type {
  DocumentJoinerLike,
  DocumentPostProcessorLike,
  DocumentRetrieverLike,
  QueryAugmenterLike,
  QueryExpanderLike,
  QueryTransformerLike,
} from './parts.js';
import { query } from './query.js';
import { RAG_DEGRADATIONS, RAG_DOCUMENT_CONTEXT } from './rag-context-keys.js';
import type { RagDegradation } from './rag-degradation.js';
import { RetrievalPipeline } from './retrieval-pipeline.js';
import { StepRun } from './step-run.js';

/** The parts, in the order in which they run. Each may be an object or the plain function that its one method is. */
export interface RetrievalAugmentationAdvisorOptions extends AdvisorPlace {
  /** One after the other. What they make is searched with; the model is shown the user's own words. Default none. */
  readonly queryTransformers?: readonly QueryTransformerLike[] | undefined;
  /** Default none: one query. */
  readonly queryExpander?: QueryExpanderLike | undefined;
  /** Several: each is asked every query. */
  readonly documentRetriever: DocumentRetrieverLike | readonly DocumentRetrieverLike[];
  /** Default `ConcatenationDocumentJoiner`. */
  readonly documentJoiner?: DocumentJoinerLike | undefined;
  /** One after the other, each with the user's own question. Default none. */
  readonly documentPostProcessors?: readonly DocumentPostProcessorLike[] | undefined;
  /** Default `ContextualQueryAugmenter`. */
  readonly queryAugmenter?: QueryAugmenterLike | undefined;
  /** Retrievals at a time. Default 4. */
  readonly concurrency?: number | undefined;
  /**
   * 'degrade' (default): a transformer, expander or post-processor that fails is left out, and of several retrievals those that fail; it is
   * said in `RAG_DEGRADATIONS`, in the log and on the observation. 'throw': the turn fails.
   */
  readonly onError?: 'degrade' | 'throw' | undefined;
  /** Default the client's. */
  readonly observationRegistry?: ObservationRegistry | undefined;
  /** Default the client's. */
  readonly logger?: Logger | undefined;
}

function isList<T>(given: T | readonly T[]): given is readonly T[] {
  return Array.isArray(given);
}

function pipelineOf(options: RetrievalAugmentationAdvisorOptions): RetrievalPipeline {
  const { queryTransformers = [], queryExpander, documentRetriever, documentPostProcessors = [] } = options;
  const { documentJoiner = new ConcatenationDocumentJoiner(), queryAugmenter = new ContextualQueryAugmenter() } =
    options;
  const { concurrency = 4 } = options;
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    throw invalidArgument('concurrency', 'must be a whole number, at least 1');
  }
  const retrievers = (isList(documentRetriever) ? documentRetriever : [documentRetriever]).map(retrieverPart);
  if (retrievers.length === 0) throw invalidArgument('documentRetriever', 'needs at least one retriever');
  return new RetrievalPipeline({
    transformers: queryTransformers.map(transformerPart),
    expander: queryExpander === undefined ? undefined : expanderPart(queryExpander),
    retrievers,
    joiner: joinerPart(documentJoiner),
    postProcessors: documentPostProcessors.map(postProcessorPart),
    augmenter: augmenterPart(queryAugmenter),
    concurrency,
  });
}

/** What stands before the question: in the tool loop, rounds stand behind it. */
function historyOf({ messages }: Prompt): readonly Message[] {
  return messages.slice(
    0,
    Math.max(
      0,
      messages.findLastIndex(({ type }) => type === 'user'),
    ),
  );
}

/**
 * Answers from documents, in seven steps: the user's text becomes a query with the messages before it as history; transformers rewrite it;
 * an expander makes several of it; every retriever is asked every query, at once; the lists are joined; post-processors rerank and trim;
 * the user's own words are put with what is left. Memory keeps the question as it was asked; media stay in the message; a message without
 * text is passed on as it is.
 *
 * The documents are under `RAG_DOCUMENT_CONTEXT` in the context and in the response's metadata, in a call as in a stream; `citations()`
 * maps an answer back to them. What failed and was done without is under `RAG_DEGRADATIONS`. It ends the turn when nothing could be
 * searched (`retrieval`; the cause is the first failure), when the joiner or the augmenter fails, when a filter is wrong, and when the
 * call is aborted.
 *
 * A turn that waited for a decision goes on with the documents it had. Order 0, scope 'turn'. Within the scope 'round' it runs before each round of the tool loop.
 *
 * @example
 * const advisor = new RetrievalAugmentationAdvisor({
 *   queryTransformers: [new CompressionQueryTransformer({ model })],
 *   documentRetriever: new VectorStoreDocumentRetriever({ vectorStore, topK: 20, similarityThreshold: 0.5 }),
 *   documentPostProcessors: [(_, documents) => documents.slice(0, 5)],
 *   queryAugmenter: new ContextualQueryAugmenter({ citations: true }),
 * });
 * const response = await client.prompt('May I return it?').advisors(advisor).call().chatClientResponse();
 * const { text, citations: cited } = citations(response);
 * Source: Spring AI `RetrievalAugmentationAdvisor`; Gao et al., Modular RAG, arXiv:2407.21059.
 */
export class RetrievalAugmentationAdvisor extends BaseAdvisor {
  readonly name: string = 'RetrievalAugmentationAdvisor';
  readonly #pipeline: RetrievalPipeline;
  readonly #onError: 'degrade' | 'throw';
  readonly #registry: ObservationRegistry | undefined;
  readonly #logger: Logger | undefined;

  /** @throws VernalError `invalid_argument` for parts that are none, and for a concurrency below 1 */
  constructor(options: RetrievalAugmentationAdvisorOptions) {
    super(options, { order: 0, scope: 'turn' });
    const { onError = 'degrade', observationRegistry, logger } = options;
    if (onError !== 'degrade' && onError !== 'throw') throw invalidArgument('onError', "must be 'degrade' or 'throw'");
    this.#pipeline = pipelineOf(options);
    this.#onError = onError;
    this.#registry = observationRegistry;
    this.#logger = logger === undefined ? undefined : safeLogger(logger);
  }

  override async advise(
    request: ChatClientRequest,
    inward: Inward,
    chain: CallAdvisorChain | StreamAdvisorChain,
  ): Promise<ChatClientResponse> {
    if (request.run?.resumed === true && standsAroundTools(this, chain)) {
      // The conversation that waited has the documents already, and its question is not the user's own words any more.
      const { documents, degradations } = toldBefore(request);
      return withDocuments(await inward.ask(request), documents, degradations);
    }
    const text = request.prompt.userMessage.text;
    if (text.trim() === '') return withDocuments(await inward.ask(withRequest(request, told([], []))), [], []);
    const { augmented, documents, degradations } = await inward.wait(request, async (waiting) => {
      const steps = new StepRun(
        {
          registry: this.#registry ?? chain.observationRegistry,
          logger: this.#logger ?? chain.logger,
          onError: this.#onError,
        },
        waiting,
      );
      const question = query(text, { history: historyOf(request.prompt), context: request.context });
      const { text: augmented, documents } = await this.#pipeline.run(question, steps);
      return { augmented, documents, degradations: steps.degradations };
    });
    const asked = withRequest(request, {
      prompt: request.prompt.augmentUserMessage(augmented),
      ...told(documents, degradations),
    });
    return withDocuments(await inward.ask(asked), documents, degradations);
  }
}

function standsAroundTools(advisor: AnyAdvisor, chain: CallAdvisorChain | StreamAdvisorChain): boolean {
  const advisors = 'callAdvisors' in chain ? chain.callAdvisors : chain.streamAdvisors;
  return advisors.indexOf(advisor) < advisors.findIndex(({ role }) => role === 'tool');
}

/** What the turn was told before it waited: JSON that was in other hands meanwhile. */
function toldBefore({ context }: ChatClientRequest): {
  readonly documents: readonly Document[];
  readonly degradations: readonly RagDegradation[];
} {
  const documents = contextValue(context, RAG_DOCUMENT_CONTEXT);
  const degradations = contextValue(context, RAG_DEGRADATIONS);
  return {
    documents: Array.isArray(documents) ? documents : [],
    degradations: Array.isArray(degradations) ? degradations : [],
  };
}

function told(
  documents: readonly Document[],
  degradations: readonly RagDegradation[],
): Pick<ChatClientRequest, 'context'> {
  return { context: { [RAG_DOCUMENT_CONTEXT]: documents, [RAG_DEGRADATIONS]: degradations } };
}

/** Beside what context and metadata hold already. */
function withDocuments(
  response: ChatClientResponse,
  documents: readonly Document[],
  degradations: readonly RagDegradation[],
): ChatClientResponse {
  const { chatResponse } = response;
  const { context } = told(documents, degradations);
  if (chatResponse === undefined) return withResponse(response, { context });
  return withResponse(response, {
    context,
    chatResponse: { ...chatResponse, metadata: { ...chatResponse.metadata, ...context } },
  });
}
