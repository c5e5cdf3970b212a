import { QA_RETRIEVED_DOCUMENTS } from '@vernal/advisors-vector-store';
import type { ChatClientRequestSpec } from '@vernal/client-chat';
import { contextValue, type Document, hasFinishReason, responseText, type Usage } from '@vernal/core';
import type { CliIo } from './cli-io.js';
import { type Source, sourceLine, sourcesOf } from './output/sources.js';
import { printable, writeLine } from './output/write-line.js';
import type { Session } from './session.js';

/** Streams one answer to stdout, then its sources. Rejects with `aborted` when its signal stops it; what was written stays. */
export async function streamAnswer(
  request: ChatClientRequestSpec,
  io: CliIo,
  { json, alwaysCites, logger }: Session,
  question: string,
): Promise<void> {
  let text = '';
  let documents: readonly Document[] = [];
  let usage: Usage = {};
  let isCut = false;
  for await (const { context, chatResponse } of request.stream().chatClientResponse()) {
    documents = contextValue(context, QA_RETRIEVED_DOCUMENTS) ?? documents;
    if (chatResponse === undefined) continue;
    usage = { ...usage, ...chatResponse.metadata.usage };
    isCut ||= hasFinishReason(chatResponse, ['length']);
    const piece = responseText(chatResponse);
    if (piece === '') continue;
    text += piece;
    if (json) writeLine(io.stdout, { type: 'text', text: piece });
    else io.stdout.write(printable(piece));
  }
  const { native, ...counters } = usage;
  logger.debug('answered', { passages: documents.length, usage: counters });
  const sources = sourcesOf(text, documents);
  if (json) {
    writeLine(io.stdout, { type: 'answer', question, text, isCut, sources, usage: counters });
  } else {
    const note = isCut ? '(The answer was cut at the limit of tokens.)\n' : '';
    io.stdout.write(`\n${note}${sourceLines(sources, alwaysCites)}`);
  }
}

/** What the answer cites; when it cites nothing, what it was given, and that it does not cite. */
function sourceLines(sources: readonly Source[], alwaysCites: boolean): string {
  const cited = sources.filter((source) => source.cited);
  const shown = cited.length > 0 || alwaysCites ? cited : sources;
  if (shown.length === 0) return '';
  const title = cited.length > 0 ? '' : 'The answer cites nothing; these passages were found for it:\n';
  return printable(`\n${title}${shown.map((source) => `${sourceLine(source)}\n`).join('')}`);
}
