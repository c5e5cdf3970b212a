import type { AdvisorPlace, ChatClientRequest, ChatClientResponse } from '@vernal/client-chat';
import { BaseAdvisor, withRequest } from '@vernal/client-chat';
import type { ContextKey, Document } from '@vernal/core';
import { contextKey, contextValue, invalidArgument, PromptTemplate, requirePlaceholders } from '@vernal/core';
import type { FilterExpression, SearchRequest, VectorStoreRetriever } from '@vernal/vector-store';
import { filter, parseFilter, validateFilter } from '@vernal/vector-store';
import { documentsWithText, renderDocuments } from './document-block.js';
import { NOTHING_FOUND, QUESTION_ANSWER_TEMPLATE } from './question-answer-template.js';

/** A filter for this request, text or tree. It narrows the advisor's own filter, never widens it. */
export const QA_FILTER_EXPRESSION: ContextKey<string | FilterExpression> =
  /* @__PURE__ */ contextKey('qa_filter_expression');

/** The documents of the prompt, [1] being the first, in the context and in the metadata of the response; [] when nothing was found. */
export const QA_RETRIEVED_DOCUMENTS: ContextKey<readonly Document[]> =
  /* @__PURE__ */ contextKey('qa_retrieved_documents');

/**
 * The store, how it is searched, and how what was found is put to the model. `order` and `scope` default to 0 and
 * 'turn'.
 */
export interface QuestionAnswerAdvisorOptions extends AdvisorPlace {
  /** Any store, or anything that searches. */
  readonly vectorStore: VectorStoreRetriever;
  /** Everything but the query, which is the user's text. Default: 4 documents, no threshold, no filter. */
  readonly searchRequest?: Omit<SearchRequest, 'query' | 'vector'> | undefined;
  /** Holds `{query}` and `{question_answer_context}`. Default `QUESTION_ANSWER_TEMPLATE`. */
  readonly promptTemplate?: PromptTemplate | undefined;
}

function treeOf(given: string | FilterExpression): FilterExpression {
  return typeof given === 'string' ? parseFilter(given) : validateFilter(given);
}

/**
 * Answers from what a vector store finds for the user's text: one search a turn, whose documents go into the user message, numbered for
 * citation. When nothing is found the model is told so and asked all the same. A text cannot break out of its block, and is declared to be
 * data. Memory keeps the question as it was asked. A message without text (media alone) is passed on as it is.
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
 * Source: Spring AI `QuestionAnswerAdvisor`.
 */
export class QuestionAnswerAdvisor extends BaseAdvisor {
  readonly name: string = 'QuestionAnswerAdvisor';
  readonly #vectorStore: VectorStoreRetriever;
  readonly #searchRequest: Omit<SearchRequest, 'query' | 'vector'>;
  readonly #filter: FilterExpression | undefined;
  readonly #template: PromptTemplate;

  /** @throws VernalError `invalid_argument` without a store, `template` for a missing placeholder, `filter_parse`, `filter_invalid` */
  constructor(options: QuestionAnswerAdvisorOptions) {
    // An order that is given decides by itself against the tool advisor's; a scope that is given decides anyway.
    super({
      order: options.order ?? 0,
      scope: options.scope ?? (options.order === undefined ? 'turn' : undefined),
    });
    const { vectorStore, searchRequest = {}, promptTemplate } = options;
    if (typeof vectorStore?.similaritySearch !== 'function') {
      throw invalidArgument('vectorStore', 'must be a vector store or an object with similaritySearch');
    }
    this.#vectorStore = vectorStore;
    this.#searchRequest = searchRequest;
    this.#filter = searchRequest.filterExpression === undefined ? undefined : treeOf(searchRequest.filterExpression);
    this.#template = promptTemplate ?? new PromptTemplate(QUESTION_ANSWER_TEMPLATE);
    requirePlaceholders(this.#template, ['query', 'question_answer_context']);
  }

  /** Searches and rewrites the user message. */
  override async before(request: ChatClientRequest): Promise<ChatClientRequest> {
    const query = request.prompt.userMessage.text;
    if (query.trim() === '') return withRequest(request, { context: { [QA_RETRIEVED_DOCUMENTS]: [] } });
    const found = await this.#vectorStore.similaritySearch(
      { ...this.#searchRequest, query, filterExpression: this.#filterOf(request) },
      request,
    );
    const documents = documentsWithText(found ?? []);
    const context = documents.length === 0 ? NOTHING_FOUND : renderDocuments(documents);
    return withRequest(request, {
      prompt: request.prompt.augmentUserMessage(this.#template.render({ query, question_answer_context: context })),
      context: { [QA_RETRIEVED_DOCUMENTS]: documents },
    });
  }

  /** Puts the documents into the response's metadata, beside what is there. */
  override after(response: ChatClientResponse): ChatClientResponse {
    const documents = contextValue(response.context, QA_RETRIEVED_DOCUMENTS);
    const { chatResponse } = response;
    if (documents === undefined || chatResponse === undefined) return response;
    const metadata = { ...chatResponse.metadata, [QA_RETRIEVED_DOCUMENTS]: documents };
    return { ...response, chatResponse: { ...chatResponse, metadata } };
  }

  #filterOf(request: ChatClientRequest): FilterExpression | undefined {
    const given = contextValue(request.context, QA_FILTER_EXPRESSION);
    if (given === undefined) return this.#filter;
    return this.#filter === undefined ? treeOf(given) : filter.and(this.#filter, treeOf(given));
  }
}
