import { commandArguments } from '../arguments.js';
import type { CliIo } from '../cli-io.js';
import { refusePaths } from '../documents/path-among-questions.js';
import { withSpreadPaths } from '../documents/spread-paths.js';
import type { Interruption } from '../interruption.js';
import { MCP_OPTIONS } from '../mcp/mcp-options.js';
import { keptConversation, MEMORY_OPTIONS } from '../memory/kept-conversation.js';
import { printable, writeLine } from '../output/write-line.js';
import { openSession } from '../session.js';
import { usageError } from '../usage-error.js';
import { converse } from './converse.js';

/** `vernal chat`: a conversation about the documents. */
export async function chat(args: readonly string[], io: CliIo, interruption: Interruption): Promise<number> {
  const given = commandArguments('chat', await withSpreadPaths(args, io.cwd), ['docs', 'store', 'rag'], {
    ...MEMORY_OPTIONS,
    ...MCP_OPTIONS,
  });
  await refusePaths(given.plainPositionals, io.cwd);
  if (given.positionals.length > 0) {
    throw usageError(
      "vernal chat takes no question on its line: start it and ask there, or use 'vernal ask'",
      'question',
    );
  }
  await using kept = await keptConversation(given, io.cwd, interruption.signal);
  await using session = await openSession(given, io, interruption.signal);
  if (kept !== undefined && !session.json) {
    const before = kept.messages === 0 ? 'Begins' : 'Goes on with';
    writeLine(
      io.stderr,
      printable(`${before} the conversation '${kept.id}'${kept.messages === 0 ? '' : `, ${kept.messages} messages`}`),
    );
  }
  return await converse(session, io, interruption, kept);
}
