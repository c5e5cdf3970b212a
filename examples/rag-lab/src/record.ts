import type { CallContext, ChatModel } from '@vernal/core';
import { MultiQueryExpander, type Query, query, RewriteQueryTransformer } from '@vernal/rag';
import { MeteredChatModel } from './metered-chat-model.js';
import type { Recording } from './recorded-chat-model.js';

export interface RecordOptions extends CallContext {
  readonly onProgress?: (done: number, all: number) => void;
}

/** What a model answers to all that the pipelines of this example ask about the questions; variants are asked of rewritten questions, too. */
export async function record(
  model: ChatModel,
  name: string,
  questions: readonly string[],
  { onProgress, ...context }: RecordOptions = {},
): Promise<Recording> {
  const rewrite = new MeteredChatModel(model);
  const variants = new MeteredChatModel(model);
  const transformer = new RewriteQueryTransformer({ model: rewrite });
  const expander = new MultiQueryExpander({ model: variants });
  let done = 0;
  // One kind of prompt after the other: a server that keeps the beginning of the last prompt then reads only the query.
  const each = async <T>(queries: readonly Query[], ask: (one: Query) => T | Promise<T>): Promise<T[]> => {
    const answers: T[] = [];
    for (const one of queries) {
      answers.push(await ask(one));
      onProgress?.(++done, 3 * questions.length);
    }
    return answers;
  };
  const asked = questions.map((question) => query(question));
  const rewritten = await each(asked, (one) => transformer.transform(one, context));
  await each([...asked, ...rewritten], (one) => expander.expand(one, context));
  return {
    model: name,
    recorded: new Date().toISOString().slice(0, 10),
    rewrite: Object.fromEntries(rewrite.answers),
    variants: Object.fromEntries(variants.answers),
  };
}
