import { streamAnswer } from '../answer.js';
import { assistant } from '../assistant.js';
import type { CliIo } from '../cli-io.js';
import { type LineSource, pipedLines } from '../input/line-source.js';
import { typedLines } from '../input/typed-lines.js';
import type { Interruption } from '../interruption.js';
import type { KeptConversation } from '../memory/kept-conversation.js';
import { errorCode, errorSentence } from '../output/error-sentence.js';
import { writeLine } from '../output/write-line.js';
import type { Session } from '../session.js';
import { usageError } from '../usage-error.js';

const GREETING = 'Ctrl-C stops an answer; /exit, Ctrl-D, or Ctrl-C at an empty prompt ends the conversation.';

/** Does somebody sit there, to read and to type? */
export function isTerminal(io: CliIo, json: boolean): boolean {
  return !json && io.stdin.isTTY === true && io.stdout.isTTY === true;
}

/**
 * Asks line by line until the input ends or says /exit. Ctrl-C stops the answer that is being written; when none is, it drops the line
 * that is being typed, or ends the conversation. A word that begins with '/' is meant for the program and is not sent. A question that
 * fails does not end it, but makes the exit code 1 where nobody is there to see. `kept`: a conversation that it goes on with.
 */
export async function converse(
  session: Session,
  io: CliIo,
  interruption: Interruption,
  kept?: KeptConversation,
): Promise<number> {
  const conversation = kept?.id ?? 'this';
  const isTyped = isTerminal(io, session.json);
  let answering: AbortController | undefined;
  const interrupt = (): void => {
    if (answering === undefined) source.interrupt();
    else answering.abort();
  };
  const source: LineSource = isTyped ? typedLines(io, interrupt) : pipedLines(io);
  const giveBack = interruption.takeOver(interrupt);
  let failed = 0;
  try {
    const { confirm } = source;
    const partner = await assistant(session, io, { remembers: true, repository: kept?.repository, confirm });
    if (isTyped) writeLine(io.stdout, `\n${GREETING}`);
    for await (const line of source.lines()) {
      const question = line.trim();
      if (question === '/exit') break;
      if (question === '') continue;
      if (/^\/\S*$/.test(question)) {
        failed += 1;
        tell(usageError(`There is no ${question}; /exit ends the conversation`, 'question'), false, session, io);
        continue;
      }
      answering = new AbortController();
      const { signal } = answering;
      try {
        await streamAnswer(partner, { question, signal, conversation }, io, session);
      } catch (error) {
        if (!signal.aborted) failed += 1;
        tell(error, signal.aborted, session, io);
      } finally {
        answering = undefined;
      }
    }
  } finally {
    giveBack();
    source.close();
  }
  return failed > 0 && !isTyped ? 1 : 0;
}

function tell(error: unknown, isStopped: boolean, { json, logger }: Session, io: CliIo): void {
  if (!isStopped) logger.debug('failed', { error });
  if (json) {
    const line = isStopped
      ? { type: 'stopped' }
      : { type: 'error', code: errorCode(error), message: errorSentence(error, io.env) };
    writeLine(io.stdout, line);
  } else if (isStopped) writeLine(io.stdout, '(stopped)');
  else writeLine(io.stderr, errorSentence(error, io.env));
}
