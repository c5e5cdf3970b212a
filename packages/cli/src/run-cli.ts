import type { CliIo } from './cli-io.js';
import { ask } from './commands/ask.js';
import { chat } from './commands/chat.js';
import { doctor } from './commands/doctor.js';
import { ingest } from './commands/ingest.js';
import { help } from './help.js';
import { errorSentence, exitCode } from './output/error-sentence.js';
import { usageError } from './usage-error.js';
import { version } from './version.js';

type Command = (args: readonly string[], io: CliIo, signal: AbortSignal) => Promise<number>;
const commands: Readonly<Record<string, Command>> = { ask, chat, ingest, doctor };

/**
 * Runs the `vernal` command and gives its exit code: 0 went well, 1 failed while running, 2 the command line or its input was wrong, 130
 * stopped by Ctrl-C. Errors are one sentence on stderr, or one line of JSON on stdout with `--json`; `--verbose` adds the stack trace.
 *
 * @example
 * process.exitCode = await runCli(['ask', '--docs', 'handbook', 'How many days of leave do I have?'], processIo());
 */
export async function runCli(args: readonly string[], io: CliIo): Promise<number> {
  const stop = new AbortController();
  const [name = '', ...rest] = args;
  // A conversation handles Ctrl-C itself.
  const unlisten = name === 'chat' || rest.includes('--chat') ? () => undefined : io.onInterrupt(() => stop.abort());
  try {
    return await dispatch(name, rest, io, stop.signal);
  } catch (error) {
    const message = stop.signal.aborted ? 'Stopped.' : errorSentence(error);
    const code = stop.signal.aborted ? 130 : exitCode(error);
    if (args.includes('--json')) io.stdout.write(`${JSON.stringify({ type: 'error', message, exitCode: code })}\n`);
    else io.stderr.write(`${message}\n`);
    if (args.includes('--verbose') && error instanceof Error) io.stderr.write(`${error.stack ?? ''}\n`);
    return code;
  } finally {
    unlisten();
  }
}

async function dispatch(name: string, rest: readonly string[], io: CliIo, signal: AbortSignal): Promise<number> {
  if (name === '--version' || name === '-v') return print(io, await version());
  if (name === '' || name === '--help' || name === '-h') return print(io, help[''] ?? '');
  if (name === 'help') {
    const text = help[rest[0] ?? ''];
    if (text === undefined)
      throw usageError(`There is no command '${rest[0] ?? ''}': there are ${Object.keys(commands).join(', ')}`);
    return print(io, text);
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    throw usageError(
      `There is no command '${name}': there are ${Object.keys(commands).join(', ')}; see 'vernal --help'`,
    );
  }
  if (rest.includes('--help') || rest.includes('-h')) return print(io, help[name] ?? '');
  return command(rest, io, signal);
}

function print(io: CliIo, text: string): number {
  io.stdout.write(`${text}\n`);
  return 0;
}
