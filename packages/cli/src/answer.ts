import { QA_RETRIEVED_DOCUMENTS } from '@vernal/advisors-vector-store';
import type { ChatClientRequestSpec } from '@vernal/client-chat';
import { contextValue, type Document, hasFinishReason, responseText, type Usage } from '@vernal/core';
import type { CliIo } from './cli-io.js';
import { citedSources, type Source, sourceLines } from './output/sources.js';

export interface AnswerStyle {
  readonly json: boolean;
  /** False for a model that always cites what it uses. */
  readonly mayNotCite: boolean;
  readonly question: string;
}

/** Streams one answer to stdout, then its sources. Rejects with `aborted` when the signal stops it; what was written stays. */
export async function streamAnswer(request: ChatClientRequestSpec, io: CliIo, style: AnswerStyle): Promise<void> {
  let text = '';
  let documents: readonly Document[] = [];
  let usage: Usage = {};
  let cut = false;
  for await (const chunk of request.stream().chatClientResponse()) {
    documents = contextValue(chunk.context, QA_RETRIEVED_DOCUMENTS) ?? documents;
    if (chunk.chatResponse === undefined) continue;
    const piece = responseText(chunk.chatResponse);
    usage = { ...usage, ...chunk.chatResponse.metadata.usage };
    cut ||= hasFinishReason(chunk.chatResponse, ['length']);
    if (piece === '') continue;
    text += piece;
    io.stdout.write(style.json ? `${JSON.stringify({ type: 'text', text: piece })}\n` : piece);
  }
  const sources = citedSources(text, documents, style.mayNotCite);
  if (style.json) io.stdout.write(`${JSON.stringify(answerLine(style.question, text, sources, usage))}\n`);
  else
    io.stdout.write(
      `\n${cut ? '(The answer was cut at the limit of tokens.)\n' : ''}${sources.length > 0 ? `\n${sourceLines(sources)}` : ''}`,
    );
}

function answerLine(question: string, text: string, sources: readonly Source[], usage: Usage): object {
  const { native, ...counters } = usage;
  return { type: 'answer', question, text, sources, usage: counters };
}
