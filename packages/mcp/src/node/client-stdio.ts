import { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import { invalidArgument } from '@vernal/core';
import { requireCount, requireOptionNames } from '@vernal/core/adapter';
import type { McpClientTransport } from '../client/client-transport.js';
import { MAX_MESSAGE_BYTES } from '../client/streamable-http-transport.js';
import { tellLines } from './stderr-lines.js';

/** Options of `stdioTransport`. */
export interface StdioOptions {
  /** The program. No shell reads it. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Variables beside HOME, LOGNAME, PATH, SHELL, TERM and USER (their like on Windows); the others of this process are not handed on. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Default the directory of this process. */
  readonly cwd?: string | undefined;
  /**
   * What becomes of the standard error: a function gets it line by line, of a line 65,536 characters at most. What it throws is noted in
   * the log of the connection. Default 'ignore'.
   */
  readonly stderr?: 'ignore' | 'inherit' | ((line: string) => void) | undefined;
  /** Bytes of one message of the server, from 1. Default 10 MiB. More ends the process. */
  readonly maxMessageBytes?: number | undefined;
}

/**
 * A server that is started as a process of its own and talks over its standard input and output. It ends with the connection: its input
 * is closed, after two seconds it gets SIGTERM, after two more SIGKILL.
 *
 * @throws VernalError `invalid_argument` for a blank command
 * @example
 * stdioTransport({ command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv/data'] });
 */
export function stdioTransport(options: StdioOptions): McpClientTransport {
  requireOptionNames(options, ['command', 'args', 'env', 'cwd', 'stderr', 'maxMessageBytes']);
  const { command, args, env, cwd, stderr = 'ignore' } = options;
  if (typeof command !== 'string' || command.trim() === '')
    throw invalidArgument('command', "must name a program: 'npx'");
  const maxBufferSize = requireCount(options.maxMessageBytes ?? MAX_MESSAGE_BYTES, 'maxMessageBytes');
  const parameters: StdioServerParameters = {
    command,
    maxBufferSize,
    stderr: typeof stderr === 'function' ? 'pipe' : stderr,
    ...(args === undefined ? undefined : { args: [...args] }),
    ...(env === undefined ? undefined : { env: { ...env } }),
    ...(cwd === undefined ? undefined : { cwd }),
  };
  return {
    kind: 'stdio',
    open(): Transport {
      const transport = new PatientStdioTransport(parameters);
      const { stderr: stream } = transport;
      if (typeof stderr === 'function' && stream instanceof Readable)
        tellLines(stream, stderr, () => transport.onerror?.(new Error('The listener to the standard error failed')));
      return transport;
    },
  };
}

/** The official transport hangs a listener on the pipe for each message that waits while it is full: a thousand calls, and a warning. */
class PatientStdioTransport extends StdioClientTransport {
  override async start(): Promise<void> {
    await super.start();
    const stdin: unknown = Reflect.get(Object(Reflect.get(this, '_process')), 'stdin');
    if (stdin instanceof Writable) stdin.setMaxListeners(0);
  }
}
