import { streamAnswer } from '../answer.js';
import { commandArguments } from '../arguments.js';
import { assistant } from '../assistant.js';
import type { CliIo } from '../cli-io.js';
import { openSession } from '../session.js';
import { usageError } from '../usage-error.js';
import { converse } from './converse.js';

/** `vernal ask`: one answer a question, then a conversation if that was asked for and somebody is there. */
export async function ask(args: readonly string[], io: CliIo, signal: AbortSignal): Promise<number> {
  const given = commandArguments('ask', args, ['docs', 'store', 'chat']);
  const questions = given.positionals.map((question) => question.trim());
  if (questions.length === 0 || questions.includes('')) {
    throw usageError('The question is empty: write it in quotes behind the options', 'question');
  }
  const session = await openSession('ask', given, io, signal);
  try {
    const client = assistant(session.model, session.store, { remembers: false });
    for (const question of questions) {
      if (!given.json && questions.length > 1) io.stdout.write(`\n? ${question}\n\n`);
      await streamAnswer(client.prompt(question).signal(signal), io, {
        json: given.json,
        mayNotCite: session.choice.provider !== 'local',
        question,
      });
    }
    if (given.chat && !given.json && io.stdin.isTTY === true) await converse(session, given.json, io, signal);
    return 0;
  } finally {
    await session.store.close();
  }
}
