import { commandArguments } from '../arguments.js';
import type { CliIo } from '../cli-io.js';
import { openSession } from '../session.js';
import { usageError } from '../usage-error.js';
import { converse } from './converse.js';

/** `vernal chat`: a conversation about the documents. */
export async function chat(args: readonly string[], io: CliIo, signal: AbortSignal): Promise<number> {
  const given = commandArguments('chat', args, ['docs', 'store']);
  if (given.positionals.length > 0) {
    throw usageError(
      "vernal chat takes no question on its line: start it and ask there, or use 'vernal ask'",
      'question',
    );
  }
  const session = await openSession('chat', given, io, signal);
  try {
    await converse(session, given.json, io, signal);
    return 0;
  } finally {
    await session.store.close();
  }
}
