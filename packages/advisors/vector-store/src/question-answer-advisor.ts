import type {
  AdvisorChain,
  AdvisorPlace,
  CallAdvisorChain,
  ChatClientRequest,
  ChatClientResponse,
  Inward,
  StreamAdvisorChain,
} from '@vernal/client-chat';
import { BaseAdvisor, withRequest, withResponse } from '@vernal/client-chat';
import type { ContextKey, Document } from '@vernal/core';
import {
  abortError,
  contextKey,
  contextValue,
  invalidArgument,
  PromptTemplate,
  requirePlaceholders,
  SafeObservation,
} from '@vernal/core';
import type { FilterSource, RagDegradation } from '@vernal/rag';
import { documentsWithText, RAG_DEGRADATIONS, renderDocuments, VectorStoreDocumentRetriever } from '@vernal/rag';
import type { FilterExpression, SearchRequest, VectorStoreRetriever } from '@vernal/vector-store';
import { allOf, filterTree, parsedSource } from './filter-tree.js';
import { narrowedRetriever } from './narrowed-retriever.js';
import { observedRetrieval } from './observed-retrieval.js';
import { NOT_SEARCHED, NOTHING_FOUND, QUESTION_ANSWER_TEMPLATE } from './question-answer-template.js';
import { goesOnInward } from './resumed-turn.js';
import { retrievalQuery } from './retrieval-query.js';
import { endsTheTurn, failureCode } from './store-failure.js';

/** A filter for this request, text or tree. It narrows the advisor's own filters, never widens them; blank text is no filter. */
export const QA_FILTER_EXPRESSION: ContextKey<string | FilterExpression> =
  /* @__PURE__ */ contextKey('qa_filter_expression');

/** The documents of the prompt, [1] being the first, in the context and in the metadata of the response; [] when nothing was found. */
export const QA_RETRIEVED_DOCUMENTS: ContextKey<readonly Document[]> =
  /* @__PURE__ */ contextKey('qa_retrieved_documents');

/** The store, how it is searched, and how what was found is put to the model. */
export interface QuestionAnswerAdvisorOptions extends AdvisorPlace {
  /** Any store, or anything that searches. */
  readonly vectorStore: VectorStoreRetriever;
  /** Everything but the query, which is the user's text. Default: 4 documents, no threshold, no filter. */
  readonly searchRequest?: Omit<SearchRequest, 'query' | 'vector'> | undefined;
  /** Text, a tree, or a function that is asked once a question and may say undefined: none. */
  readonly filter?: FilterSource | undefined;
  /** The same for tenants and permissions: a function that gives none is an error (`filter_invalid`), and nothing is searched. */
  readonly requiredFilter?: FilterSource | undefined;
  /** Holds `{query}` and `{question_answer_context}`. Default `QUESTION_ANSWER_TEMPLATE`. */
  readonly promptTemplate?: PromptTemplate | undefined;
  /**
   * When the store fails: 'throw' (default) ends the turn with its error; 'degrade' asks the model all the same, tells it that the
   * documents could not be searched, and says so under `RAG_DEGRADATIONS`, in the log and on the observation. A filter that is wrong and an
   * abort end the turn in any case.
   */
  readonly onError?: 'throw' | 'degrade' | undefined;
}

/** What one search came to. */
interface Retrieved {
  readonly documents: readonly Document[];
  /** What `{question_answer_context}` becomes. */
  readonly block: string;
  readonly degradation?: RagDegradation;
}

/**
 * Answers from what a vector store finds for the user's text: one search a turn, whose documents go into the user message, numbered for
 * citation. When nothing is found the model is told so and asked all the same. A text cannot break out of its block, and is declared to be
 * data. Memory keeps the question as it was asked. A message without text (media alone) is passed on as it is. A turn that waited for a
 * decision goes on with the documents it had.
 *
 * All filters hold at once: that of `searchRequest`, `filter`, `requiredFilter` and `QA_FILTER_EXPRESSION` of the request.
 *
 * Order 0, scope 'turn'.
 *
 * @example
 * ```ts
 * const client = ChatClient.builder(model).defaultAdvisors(new QuestionAnswerAdvisor({ vectorStore })).build();
 * const response = await client.prompt('May I return it?')
 *   .advisors((a) => a.param(QA_FILTER_EXPRESSION, "lang == 'en'")).call().chatClientResponse();
 * const sources = contextValue(response.context, QA_RETRIEVED_DOCUMENTS);
 * ```
 * Source: Spring AI `QuestionAnswerAdvisor`, where the filter of a request takes the place of the advisor's own.
 */
export class QuestionAnswerAdvisor extends BaseAdvisor {
  readonly name: string = 'QuestionAnswerAdvisor';
  readonly #retrieverFor: (ofRequest: FilterExpression | undefined) => VectorStoreDocumentRetriever;
  readonly #template: PromptTemplate;
  readonly #degrades: boolean;

  /**
   * @throws VernalError `invalid_argument` without a store and for search settings that cannot be, `template` for a missing placeholder,
   * `filter_parse`, `filter_invalid`
   */
  constructor(options: QuestionAnswerAdvisorOptions) {
    super(options, { order: 0, scope: 'turn' });
    const { vectorStore, searchRequest = {}, promptTemplate, onError = 'throw' } = options;
    if (typeof vectorStore?.similaritySearch !== 'function') {
      throw invalidArgument('vectorStore', 'must be a vector store or an object with similaritySearch');
    }
    if (onError !== 'throw' && onError !== 'degrade') throw invalidArgument('onError', "must be 'throw' or 'degrade'");
    const { filterExpression, topK, similarityThreshold, mode, ...settings } = searchRequest;
    const always = filterExpression === undefined ? undefined : filterTree(filterExpression);
    const filter = parsedSource(options.filter);
    const requiredFilter = parsedSource(options.requiredFilter);
    this.#retrieverFor = (ofRequest) =>
      new VectorStoreDocumentRetriever({
        vectorStore: narrowedRetriever(vectorStore, allOf(always, ofRequest), settings),
        topK,
        similarityThreshold,
        mode,
        filter,
        requiredFilter,
      });
    // Bad settings are refused here, not by the first question.
    this.#retrieverFor(undefined);
    this.#template = promptTemplate ?? new PromptTemplate(QUESTION_ANSWER_TEMPLATE);
    requirePlaceholders(this.#template, ['query', 'question_answer_context']);
    this.#degrades = onError === 'degrade';
  }

  override async advise(
    request: ChatClientRequest,
    inward: Inward,
    chain: CallAdvisorChain | StreamAdvisorChain,
  ): Promise<ChatClientResponse> {
    if (goesOnInward(request, this, chain)) {
      const before: unknown = contextValue(request.context, QA_RETRIEVED_DOCUMENTS);
      return told(await inward.ask(request), { [QA_RETRIEVED_DOCUMENTS]: Array.isArray(before) ? before : [] });
    }
    const text = request.prompt.userMessage.text;
    if (text.trim() === '') {
      const nothing = { [QA_RETRIEVED_DOCUMENTS]: [] };
      return told(await inward.ask(withRequest(request, { context: nothing })), nothing);
    }
    const { documents, block, degradation } = await inward.wait(request, (waiting) =>
      this.#retrieve(text, waiting, chain),
    );
    const context = { [QA_RETRIEVED_DOCUMENTS]: documents };
    const prompt = request.prompt.augmentUserMessage(
      this.#template.render({ query: text, question_answer_context: block }),
    );
    const response = await inward.ask(withRequest(request, { prompt, context }));
    if (degradation === undefined) return told(response, context);
    const others = contextValue(response.context, RAG_DEGRADATIONS) ?? [];
    return told(response, { ...context, [RAG_DEGRADATIONS]: [...others, degradation] });
  }

  async #retrieve(text: string, request: ChatClientRequest, chain: AdvisorChain): Promise<Retrieved> {
    try {
      const retriever = this.#retrieverFor(filterOf(request));
      const query = retrievalQuery(text, request);
      const documents = documentsWithText(
        await observedRetrieval(retriever, query, request, chain.observationRegistry),
      );
      return { documents, block: documents.length === 0 ? NOTHING_FOUND : renderDocuments(documents) };
    } catch (error) {
      if (request.signal?.aborted === true) throw abortError(request.signal);
      if (!this.#degrades || endsTheTurn(error)) throw error;
      const failed = { step: 'retrieve', index: 0, name: this.name, code: failureCode(error) } as const;
      chain.logger.warn('The documents could not be searched: the model is asked without them', failed);
      if (request.observation !== undefined) new SafeObservation(request.observation).event('rag_degraded', failed);
      return { documents: [], block: NOT_SEARCHED, degradation: { ...failed, times: 1 } };
    }
  }
}

function filterOf({ context }: ChatClientRequest): FilterExpression | undefined {
  const given = contextValue(context, QA_FILTER_EXPRESSION);
  if (given === undefined || given === null || (typeof given === 'string' && given.trim() === '')) return undefined;
  return filterTree(given);
}

/** Beside what context and metadata hold already. */
function told(response: ChatClientResponse, context: Readonly<Record<string, unknown>>): ChatClientResponse {
  const { chatResponse } = response;
  return withResponse(response, {
    context,
    ...(chatResponse && { chatResponse: { ...chatResponse, metadata: { ...chatResponse.metadata, ...context } } }),
  });
}
