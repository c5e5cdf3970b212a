import type { ChatModel, Logger } from '@vernal/core';
import type { SimpleVectorStore } from '@vernal/vector-store';
import type { CommandArguments } from './arguments.js';
import type { CliIo } from './cli-io.js';
import { type Documents, hasDocuments, indexedLines, openDocuments } from './documents/open-documents.js';
import { mcpWish } from './mcp/mcp-options.js';
import { configuredServers, openServerTools, type ServerTools, serverLines } from './mcp/server-tools.js';
import { type ChatChoice, chooseChatModel, createChatModel } from './models/choose-chat-model.js';
import { type Writer, writerOf } from './models/writer.js';
import { stderrLogger } from './output/stderr-logger.js';
import { printable, writeLine } from './output/write-line.js';
import type { RagMode } from './retrieval/rag-mode.js';
import { usageError } from './usage-error.js';

/** What ask, chat and eval work with. */
export interface Session extends AsyncDisposable {
  readonly model: ChatModel;
  /** The same model; undefined for the embedded one, which only quotes. */
  readonly writer: Writer | undefined;
  /** False for a model that writes freely and may forget to. */
  readonly alwaysCites: boolean;
  /** What the embedded model answers when the documents do not say; undefined for any other. */
  readonly refusal: string | undefined;
  /** Undefined when there is nothing to search: the model then answers from what it knows. */
  readonly store: SimpleVectorStore | undefined;
  /** Of all documents, as answers name them; undefined beside a store file, which does not list what it holds. */
  readonly sources: ReadonlySet<string> | undefined;
  /** Of MCP servers; undefined without `--mcp`. */
  readonly tools: ServerTools | undefined;
  readonly rag: RagMode;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly logger: Logger;
}

/** Chooses the models unless `chosen` did, opens the store, indexes the documents, and says so. */
export async function openSession(
  given: CommandArguments,
  io: CliIo,
  signal: AbortSignal,
  chosen?: ChatChoice,
): Promise<Session> {
  const logger = stderrLogger(io, given.verbose);
  const choice = chosen ?? (await chooseChatModel(given.model, io.env, signal));
  const alwaysCites = choice.provider === 'local';
  const wish = mcpWish(given);
  if (given.rag !== undefined && !hasDocuments(given)) {
    throw usageError('--rag is about documents: give some with --docs PATH or --store FILE', 'rag');
  }
  if (alwaysCites && wish !== undefined) {
    throw usageError('The embedded model uses no tools: choose another with --model, or leave --mcp out', 'mcp');
  }
  if (alwaysCites && !hasDocuments(given)) {
    throw usageError(
      'No document found: the embedded model only quotes documents; give it some with --docs PATH or --store FILE',
      'docs',
    );
  }
  const servers = wish && (await configuredServers(wish, io, { signal, verbose: given.verbose }));
  const model = await createChatModel(choice, io.env, logger);
  const refusal = alwaysCites ? (await import('@vernal/model-local')).NOT_IN_DOCUMENTS : undefined;
  const documents = hasDocuments(given) ? await openDocuments(given, io, { logger, signal }) : undefined;
  const store = documents?.store;
  let tools: ServerTools | undefined;
  try {
    tools = wish && servers && (await openServerTools(servers, wish, { signal, logger }));
  } catch (error) {
    await store?.close();
    throw error;
  }
  announce(io, given.json, { choice, documents, tools });
  return {
    model,
    writer: writerOf(choice, model),
    alwaysCites,
    refusal,
    store,
    sources: documents?.sources,
    tools,
    rag: given.rag ?? 'simple',
    json: given.json,
    verbose: given.verbose,
    logger,
    async [Symbol.asyncDispose]() {
      await tools?.[Symbol.asyncDispose]();
      await store?.close();
    },
  };
}

function announce(
  io: CliIo,
  json: boolean,
  {
    choice,
    documents,
    tools,
  }: {
    readonly choice: ChatChoice;
    readonly documents: Documents | undefined;
    readonly tools: ServerTools | undefined;
  },
): void {
  const { provider, name, reason } = choice;
  const indexed = documents?.indexed;
  if (json) {
    writeLine(io.stdout, {
      type: 'ready',
      provider,
      model: name,
      reason,
      passages: documents?.store.size,
      files: indexed?.files,
      milliseconds: indexed?.milliseconds,
      skipped: indexed?.skipped,
      partial: indexed?.partial,
      servers: tools?.servers,
      unreachable: tools?.unreachable,
    });
    return;
  }
  if (indexed !== undefined) for (const line of indexedLines(indexed)) writeLine(io.stderr, printable(line));
  if (tools !== undefined) for (const line of serverLines(tools)) writeLine(io.stderr, printable(line));
  writeLine(
    io.stderr,
    provider === 'local'
      ? `Answering with the embedded demonstration model, which only quotes your documents, since ${reason}`
      : `Answering with ${provider}:${name}, since ${reason}`,
  );
}
