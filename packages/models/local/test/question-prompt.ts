/** A document as a test gives it. */
export interface Given {
  readonly text: string;
  readonly source: string;
  readonly title?: string;
}

/** The user message that QuestionAnswerAdvisor of @vernal/advisors-vector-store makes of documents and a question. */
export function withDocuments(documents: readonly Given[], question: string): string {
  const blocks = documents.map(({ text, source, title }, i) => {
    const attributes = `index="${i + 1}" source="${source}"${title === undefined ? '' : ` title="${title}"`}`;
    return `<document ${attributes}>\n${text.replace(/<(?=\s*\/?\s*documents?)/gi, '&lt;')}\n</document>`;
  });
  const context =
    blocks.length === 0
      ? '(No documents were found for this question.)'
      : `<documents>\n${blocks.join('\n')}\n</documents>`;
  return `Answer the question at the end from the documents below, and from nothing else.\n\n${context}\n\nQuestion: ${question}`;
}

/** The quotes of an answer with the number each cites. */
export function quotesOf(answer: string): { readonly text: string; readonly index: number }[] {
  return Array.from(answer.matchAll(/([\s\S]*?) \[(\d+)\](?:\n\n|$)/g), ([, text = '', index]) => ({
    text,
    index: Number(index),
  }));
}
