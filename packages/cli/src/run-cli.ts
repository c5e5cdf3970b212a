import { hasFlag } from './arguments.js';
import type { CliIo } from './cli-io.js';
import { help } from './help.js';
import { type Interruption, listenForInterrupts } from './interruption.js';
import { speaksProtocol } from './mcp/serve-options.js';
import { errorCode, errorSentence, exitCode } from './output/error-sentence.js';
import { writeLine } from './output/write-line.js';
import { usageError } from './usage-error.js';
import { version } from './version.js';

type Command = (args: readonly string[], io: CliIo, interruption: Interruption) => Promise<number>;
/** Loaded when it is the one: help and faults of the command line need no reader and no model. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  ask: async () => (await import('./commands/ask.js')).ask,
  chat: async () => (await import('./commands/chat.js')).chat,
  ingest: async () => (await import('./commands/ingest.js')).ingest,
  eval: async () => (await import('./commands/evaluate-set.js')).evaluateSet,
  mcp: async () => (await import('./commands/mcp.js')).mcp,
  doctor: async () => (await import('./commands/doctor.js')).doctor,
};

/**
 * Runs the `vernal` command and gives its exit code: 0 went well, 1 failed while running, 2 the command line or its input was wrong, 130
 * stopped by Ctrl-C. Never rejects: an error is one sentence on `io.stderr`, or one line of JSON on `io.stdout` with `--json`;
 * `--verbose` adds the stack trace.
 *
 * @example
 * process.exitCode = await runCli(['ask', '--docs', 'handbook', 'How many days of leave do I have?'], processIo());
 */
export async function runCli(args: readonly string[], io: CliIo): Promise<number> {
  const interruption = listenForInterrupts(io);
  try {
    return await dispatch(args, io, interruption);
  } catch (error) {
    const stopped = interruption.signal.aborted;
    const message = stopped ? 'Stopped.' : errorSentence(error, io.env);
    if (hasFlag(args, '--json')) {
      const out = speaksProtocol(args) ? io.stderr : io.stdout;
      writeLine(out, { type: 'error', code: stopped ? 'aborted' : errorCode(error), message });
    } else writeLine(io.stderr, message);
    if (hasFlag(args, '--verbose')) writeLine(io.stderr, stackOf(error));
    return stopped ? 130 : exitCode(error);
  } finally {
    interruption.close();
  }
}

async function dispatch(args: readonly string[], io: CliIo, interruption: Interruption): Promise<number> {
  const [name = '--help', ...rest] = args;
  if (name === '--version' || name === '-v') return print(io, await version());
  if (name === '--help' || name === '-h') return print(io, help.program);
  if (name === 'help') return print(io, rest[0] === undefined ? help.program : helpOf(rest[0]));
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) throw unknownCommand(name);
  if (hasFlag(rest, '--help', '-h')) return print(io, helpOf(name));
  if (hasFlag(rest, '--version')) return print(io, await version());
  const command = await load();
  return command(rest, io, interruption);
}

function helpOf(name: string): string {
  const text = Object.hasOwn(help.commands, name) ? help.commands[name] : undefined;
  if (text === undefined) throw unknownCommand(name);
  return text;
}

function unknownCommand(name: string): Error {
  const known = Object.keys(commands).join(', ');
  return usageError(
    name.startsWith('-')
      ? `A command has to come before ${name}: write one of ${known} first; see 'vernal --help'`
      : `There is no command '${name}': there are ${known}; see 'vernal --help'`,
    'command',
  );
}

function print(io: CliIo, text: string): number {
  writeLine(io.stdout, text);
  return 0;
}

/** With the causes, each with its own stack. */
function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? String(error);
  return error.cause === undefined ? stack : `${stack}\nCaused by: ${stackOf(error.cause)}`;
}
