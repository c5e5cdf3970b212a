import { Readable, Writable } from 'node:stream';
import { type CommandArguments, commandArguments } from '../arguments.js';
import type { CliIo } from '../cli-io.js';
import type { Indexed } from '../documents/index-documents.js';
import { hasDocuments, indexedLines, openDocuments } from '../documents/open-documents.js';
import { withSpreadPaths } from '../documents/spread-paths.js';
import type { Interruption } from '../interruption.js';
import { httpPort, SERVE_OPTIONS } from '../mcp/serve-options.js';
import { stderrLogger } from '../output/stderr-logger.js';
import { printable, writeLine } from '../output/write-line.js';
import { usageError } from '../usage-error.js';

/** `vernal mcp serve`: documents as an MCP server, until the client is gone or Ctrl-C. */
export async function mcp(args: readonly string[], io: CliIo, interruption: Interruption): Promise<number> {
  const given = commandArguments('mcp', await withSpreadPaths(args, io.cwd), ['docs', 'store'], SERVE_OPTIONS);
  const [action, ...more] = given.positionals;
  if (action !== 'serve') throw usageError("Say what vernal mcp is to do: write 'vernal mcp serve'", 'mcp');
  if (more.length > 0)
    throw usageError(`Documents to serve stand behind --docs: write --docs ${more.join(' ')}`, 'docs');
  if (!hasDocuments(given)) {
    throw usageError('No document found: give some to serve with --docs PATH or --store FILE', 'docs');
  }
  const port = httpPort(given);
  const { signal } = interruption;
  // Over stdio, stdout belongs to the protocol: everything else is said on stderr.
  const told: CliIo = port === undefined ? { ...io, stdout: io.stderr } : io;
  const logger = stderrLogger(io, given.verbose);
  const { store, indexed } = await openDocuments(given, told, { logger, signal });
  try {
    if (indexed !== undefined && !given.json)
      for (const line of indexedLines(indexed)) writeLine(io.stderr, printable(line));
    const { documentServer } = await import('../mcp/document-server.js');
    await using server = await documentServer(store, given.values('about').at(-1));
    const { serveMcpHttp, serveMcpStdio } = await import('@vernal/mcp/node');
    const held = { ...indexed, passages: store.size };
    if (port === undefined) {
      const connection = serveMcpStdio(server, { input: readable(io.stdin), output: writable(io.stdout), logger });
      announce(given, told, held);
      await untilStopped(interruption, connection.closed);
    } else {
      await using listening = await serveMcpHttp(server, { port, logger });
      announce(given, told, { ...held, url: listening.url.href });
      await untilStopped(interruption);
    }
    return 0;
  } finally {
    await store.close();
  }
}

function announce(
  { json }: CommandArguments,
  io: CliIo,
  { passages, files, skipped, partial, url }: Partial<Indexed> & { readonly url?: string },
): void {
  if (json) writeLine(io.stdout, { type: 'serving', url, passages, files, skipped, partial });
  else if (url === undefined) writeLine(io.stderr, `Serving ${passages} passages over stdin and stdout`);
  else writeLine(io.stderr, `Serving ${passages} passages at ${url}; Ctrl-C ends it`);
}

/** Ctrl-C is how a server is ended, and no failure. */
async function untilStopped({ takeOver }: Interruption, gone?: Promise<void>): Promise<void> {
  let giveBack = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    giveBack = takeOver(resolve);
  });
  try {
    await Promise.race([stopped, ...(gone === undefined ? [] : [gone])]);
  } finally {
    giveBack();
  }
}

function readable(stream: CliIo['stdin']): Readable {
  return stream instanceof Readable ? stream : new Readable().wrap(stream);
}

function writable(stream: CliIo['stdout']): Writable {
  if (stream instanceof Writable) return stream;
  return new Writable({ write: (piece, _encoding, done) => void stream.write(piece, done) });
}
