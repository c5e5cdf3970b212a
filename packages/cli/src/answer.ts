import { QA_RETRIEVED_DOCUMENTS } from '@vernal/advisors-vector-store';
import type { ChatClientRequestSpec } from '@vernal/client-chat';
import { contextValue, type Document, hasFinishReason, responseText, type Usage } from '@vernal/core';
import type { CliIo } from './cli-io.js';
import { type Source, sourceLine, sourcesOf } from './output/sources.js';
import { printable, writeLine } from './output/write-line.js';
import type { Session } from './session.js';

interface Answer {
  readonly text: string;
  readonly documents: readonly Document[];
  /** Stopped by a limit of tokens. */
  readonly isCut: boolean;
  readonly usage: Usage;
}

/** Streams one answer to stdout, then its sources. Rejects when its signal stops it; what was written stays, on lines of its own. */
export async function streamAnswer(
  request: ChatClientRequestSpec,
  io: CliIo,
  { json, alwaysCites, refusal, logger }: Session,
  question: string,
): Promise<void> {
  let isLineOpen = false;
  const { text, documents, isCut, usage } = await readAnswer(request, (piece) => {
    if (json) writeLine(io.stdout, { type: 'text', text: piece });
    else io.stdout.write(printable(piece));
    isLineOpen = !json;
  }).finally(() => {
    if (isLineOpen) io.stdout.write('\n');
  });
  logger.debug('answered', { passages: documents.length, usage });
  const sources = sourcesOf(text, documents);
  if (json) {
    writeLine(io.stdout, { type: 'answer', question, text, isCut, sources, usage });
    return;
  }
  if (text === '') writeLine(io.stdout, '(The model answered nothing.)');
  else if (isCut) writeLine(io.stdout, '(The answer was cut at the limit of tokens.)');
  io.stdout.write(printable(sourceLines(sources, alwaysCites)));
  if (text !== '' && text === refusal && io.stderr.isTTY === true) {
    writeLine(io.stderr, 'The embedded model only quotes; --model chooses one that can reason.');
  }
}

async function readAnswer(request: ChatClientRequestSpec, onPiece: (text: string) => void): Promise<Answer> {
  let text = '';
  let documents: readonly Document[] = [];
  let isCut = false;
  let counted: Usage = {};
  for await (const { context, chatResponse } of request.stream().chatClientResponse()) {
    documents = contextValue(context, QA_RETRIEVED_DOCUMENTS) ?? documents;
    if (chatResponse === undefined) continue;
    counted = { ...counted, ...chatResponse.metadata.usage };
    isCut ||= hasFinishReason(chatResponse, ['length']);
    const piece = responseText(chatResponse);
    if (piece === '') continue;
    text += piece;
    onPiece(piece);
  }
  const { native, ...usage } = counted;
  return { text, documents, isCut, usage };
}

/** What the answer cites; when it cites nothing, what it was given, and that it does not cite. */
function sourceLines(sources: readonly Source[], alwaysCites: boolean): string {
  const cited = sources.filter((source) => source.cited);
  const shown = cited.length > 0 || alwaysCites ? cited : sources;
  if (shown.length === 0) return '';
  const title = cited.length > 0 ? '' : 'The answer cites nothing; these passages were found for it:\n';
  return `\n${title}${shown.map((source) => `${sourceLine(source)}\n`).join('')}`;
}
