import { createInterface } from 'node:readline';
import { VernalError } from '@vernal/core';
import { streamAnswer } from '../answer.js';
import { assistant } from '../assistant.js';
import type { CliIo } from '../cli-io.js';
import { errorSentence } from '../output/error-sentence.js';
import type { Session } from '../session.js';

/**
 * Asks line by line until the input ends or says /exit. Ctrl-C stops the answer that is being written; at an empty prompt it ends the
 * conversation. A question that fails does not.
 */
export async function converse(session: Session, json: boolean, io: CliIo, signal: AbortSignal): Promise<void> {
  const client = assistant(session.model, session.store, { remembers: true });
  const terminal = io.stdin.isTTY === true && io.stdout.isTTY === true && !json;
  const lines = createInterface({
    input: io.stdin,
    ...(terminal ? { output: io.stdout, prompt: '\n> ' } : {}),
    terminal,
  });
  let answering: AbortController | undefined;
  const interrupt = (): void => {
    if (answering === undefined) lines.close();
    else answering.abort();
  };
  lines.on('SIGINT', interrupt);
  const stop = terminal ? () => undefined : io.onInterrupt(interrupt);
  const leave = (): void => lines.close();
  signal.addEventListener('abort', leave, { once: true });
  try {
    if (terminal) {
      io.stdout.write('\nAsk about your documents. Ctrl-C stops an answer, /exit ends the conversation.\n');
      lines.prompt();
    }
    for await (const line of lines) {
      const question = line.trim();
      if (question === '/exit' || question === '/quit') break;
      if (question !== '') {
        answering = new AbortController();
        try {
          const request = client
            .prompt(question)
            .conversation('terminal')
            .signal(AbortSignal.any([signal, answering.signal]));
          await streamAnswer(request, io, { json, mayNotCite: session.choice.provider !== 'local', question });
        } catch (error) {
          tell(error, json, io);
        } finally {
          answering = undefined;
        }
      }
      if (terminal) lines.prompt();
    }
  } finally {
    signal.removeEventListener('abort', leave);
    stop();
    lines.close();
  }
}

function tell(error: unknown, json: boolean, io: CliIo): void {
  const stopped = VernalError.is(error) && error.code === 'aborted';
  const message = stopped ? '(stopped)' : errorSentence(error);
  if (json) io.stdout.write(`${JSON.stringify({ type: stopped ? 'stopped' : 'error', message })}\n`);
  else (stopped ? io.stdout : io.stderr).write(`\n${message}\n`);
}
