import type { ChatClientRequestSpec } from '@vernal/client-chat';
import { addUsage, type Document, hasFinishReason, responseText, type Usage } from '@vernal/core';
import type { Assistant } from './assistant.js';
import type { CliIo } from './cli-io.js';
import { type Source, sourceLine, sourcesOf } from './output/sources.js';
import { printable, writeLine } from './output/write-line.js';
import type { Retrieval } from './retrieval/retrieval.js';
import type { Session } from './session.js';

interface Answer {
  readonly text: string;
  readonly documents: readonly Document[];
  /** Stopped by a limit of tokens. */
  readonly isCut: boolean;
  readonly usage: Usage;
}

/** What is asked. */
export interface Asked {
  readonly question: string;
  /** Stops the answer. */
  readonly signal: AbortSignal;
  /** What it is a part of, for a client that remembers. */
  readonly conversation?: string;
}

/** Streams one answer to stdout, then its sources. Rejects when its signal stops it; what was written stays, on lines of its own. */
export async function streamAnswer(
  { client, retrieval }: Assistant,
  { question, signal, conversation }: Asked,
  io: CliIo,
  { json, alwaysCites, refusal, logger }: Session,
): Promise<void> {
  const prompt = client.prompt(question).signal(signal);
  const request = conversation === undefined ? prompt : prompt.conversation(conversation);
  let isLineOpen = false;
  const { text, documents, isCut, usage } = await readAnswer(request, retrieval, (piece) => {
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

async function readAnswer(
  request: ChatClientRequestSpec,
  retrieval: Retrieval | undefined,
  onPiece: (text: string) => void,
): Promise<Answer> {
  let text = '';
  let documents: readonly Document[] = [];
  let isCut = false;
  let counted: Usage = {};
  // What a question that was stopped has spent is not this one's.
  retrieval?.takeUsage();
  for await (const { context, chatResponse } of request.stream().chatClientResponse()) {
    documents = retrieval?.documentsIn(context) ?? documents;
    if (chatResponse === undefined) continue;
    counted = { ...counted, ...chatResponse.metadata.usage };
    isCut ||= hasFinishReason(chatResponse, ['length']);
    const piece = responseText(chatResponse);
    if (piece === '') continue;
    text += piece;
    onPiece(piece);
  }
  const { native, rounds, ...usage } = addUsage(counted, retrieval?.takeUsage() ?? {});
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
