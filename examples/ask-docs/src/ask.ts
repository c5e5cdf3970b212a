import { QA_RETRIEVED_DOCUMENTS, QuestionAnswerAdvisor } from '@vernal/advisors-vector-store';
import { ChatClient } from '@vernal/client-chat';
import { type ChatModel, contextValue, type Document, type EmbeddingModel, type Resource } from '@vernal/core';
import { etl } from '@vernal/etl';
import { MarkdownReader } from '@vernal/readers-markdown';
import { TokenTextSplitter } from '@vernal/tokenizer';
import { SimpleVectorStore } from '@vernal/vector-store';

/** Reads Markdown into a store: one pipeline a file, nothing held but the batch on its way. */
export async function index(files: readonly Resource[], embeddingModel: EmbeddingModel): Promise<SimpleVectorStore> {
  const vectorStore = new SimpleVectorStore({ embeddingModel });
  for (const file of files) await etl(new MarkdownReader(file)).transform(new TokenTextSplitter()).write(vectorStore);
  return vectorStore;
}

/** One question, answered from the documents that the store finds for it. */
export async function ask(
  model: ChatModel,
  vectorStore: SimpleVectorStore,
  question: string,
): Promise<{ readonly answer: string; readonly sources: readonly Document[] }> {
  const client = ChatClient.builder(model).defaultAdvisors(new QuestionAnswerAdvisor({ vectorStore })).build();
  const response = await client.prompt(question).call().chatClientResponse();
  return {
    answer: response.chatResponse?.result?.output.text ?? '',
    sources: contextValue(response.context, QA_RETRIEVED_DOCUMENTS) ?? [],
  };
}
