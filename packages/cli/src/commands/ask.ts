import { streamAnswer } from '../answer.js';
import { commandArguments } from '../arguments.js';
import { assistant } from '../assistant.js';
import type { CliIo } from '../cli-io.js';
import { refusePaths } from '../documents/path-among-questions.js';
import { withSpreadPaths } from '../documents/spread-paths.js';
import { typedAnswer } from '../input/typed-answer.js';
import type { Interruption } from '../interruption.js';
import { MCP_OPTIONS } from '../mcp/mcp-options.js';
import { printable } from '../output/write-line.js';
import { openSession } from '../session.js';
import { converse, isTerminal } from './converse.js';
import { questionsOf } from './questions.js';

/** `vernal ask`: an answer for each question, then a conversation if that was asked for and somebody is there. */
export async function ask(args: readonly string[], io: CliIo, interruption: Interruption): Promise<number> {
  const { signal } = interruption;
  const given = commandArguments(
    'ask',
    await withSpreadPaths(args, io.cwd),
    ['docs', 'store', 'rag', 'chat'],
    MCP_OPTIONS,
  );
  const questions = questionsOf(given.positionals);
  await refusePaths(given.plainPositionals, io.cwd);
  await using session = await openSession(given, io, signal);
  const answering = await assistant(session, io, {
    remembers: false,
    confirm: isTerminal(io, session.json) ? (question, signal) => typedAnswer(io, question, signal) : undefined,
  });
  for (const question of questions) {
    if (questions.length > 1 && !session.json) io.stdout.write(printable(`\n? ${question}\n\n`));
    await streamAnswer(answering, { question, signal }, io, session);
  }
  if (given.chat && isTerminal(io, session.json)) return await converse(session, io, interruption);
  return 0;
}
