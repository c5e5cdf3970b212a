import { dirname } from 'node:path';
import type { ChatModel, Logger } from '@vernal/core';
import type { SimpleVectorStore } from '@vernal/vector-store';
import type { CommandArguments } from './arguments.js';
import type { CliIo } from './cli-io.js';
import { documentFiles } from './documents/document-files.js';
import { type Indexed, indexDocuments } from './documents/index-documents.js';
import { omissionLines } from './documents/left-out.js';
import { isStoreThere, openStore, storeFile } from './documents/store-file.js';
import { type ChatChoice, chooseChatModel, createChatModel } from './models/choose-chat-model.js';
import { chooseEmbeddingModel, createEmbeddingModel } from './models/choose-embedding-model.js';
import { type Writer, writerOf } from './models/writer.js';
import { progressOn } from './output/progress.js';
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
  readonly rag: RagMode;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly logger: Logger;
}

/** Are there any to be? */
export function hasDocuments({ docs, store }: CommandArguments): boolean {
  return docs.length > 0 || store !== undefined;
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
  if (given.rag !== undefined && !hasDocuments(given)) {
    throw usageError('--rag is about documents: give some with --docs PATH or --store FILE', 'rag');
  }
  if (alwaysCites && !hasDocuments(given)) {
    throw usageError(
      'No document found: the embedded model only quotes documents; give it some with --docs PATH or --store FILE',
      'docs',
    );
  }
  const model = await createChatModel(choice, io.env, logger);
  const refusal = alwaysCites ? (await import('@vernal/model-local')).NOT_IN_DOCUMENTS : undefined;
  const documents: Documents = hasDocuments(given) ? await openDocuments(given, io, { logger, signal }) : {};
  const { store, sources, indexed } = documents;
  announce(io, given.json, { choice, store, indexed });
  return {
    model,
    writer: writerOf(choice, model),
    alwaysCites,
    refusal,
    store,
    sources,
    rag: given.rag ?? 'simple',
    json: given.json,
    verbose: given.verbose,
    logger,
    async [Symbol.asyncDispose]() {
      await store?.close();
    },
  };
}

interface Documents {
  readonly store?: SimpleVectorStore | undefined;
  readonly sources?: ReadonlySet<string> | undefined;
  readonly indexed?: Indexed | undefined;
}

async function openDocuments(
  given: CommandArguments,
  io: CliIo,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<Documents> {
  const file = given.store === undefined ? undefined : storeFile(given.store, io.cwd);
  if (file !== undefined && !(await isStoreThere(file))) {
    throw usageError(`There is no store at ${file.name}: make one with 'vernal ingest PATH… --store FILE'`, 'store');
  }
  const files = await documentFiles(given.docs, {
    cwd: io.cwd,
    sourcesFrom: file && dirname(file.path),
    except: file?.path,
    signal,
  });
  const choice = chooseEmbeddingModel(given.embeddingModel, io.env);
  const embeddingModel = await createEmbeddingModel(choice, io.env, logger);
  const store = await openStore(file, { embeddingModel, logger, signal });
  try {
    if (file !== undefined && store.size === 0) {
      throw usageError(`The store ${file.name} is empty: ingest documents first`, 'store');
    }
    if (files.length === 0) return { store };
    const progress = progressOn(given.json ? undefined : io.stderr);
    const indexed = await indexDocuments(files, store, { progress, logger, signal });
    const skipped = new Set(indexed.skipped.map(({ source }) => source));
    const read = files.map(({ source }) => source).filter((source) => !skipped.has(source));
    return { store, sources: file === undefined ? new Set(read) : undefined, indexed };
  } catch (error) {
    await store.close();
    throw error;
  }
}

function announce(
  io: CliIo,
  json: boolean,
  { choice, store, indexed }: Documents & { readonly choice: ChatChoice },
): void {
  const { provider, name, reason } = choice;
  if (json) {
    writeLine(io.stdout, {
      type: 'ready',
      provider,
      model: name,
      reason,
      passages: store?.size,
      files: indexed?.files,
      milliseconds: indexed?.milliseconds,
      skipped: indexed?.skipped,
      partial: indexed?.partial,
    });
    return;
  }
  if (indexed !== undefined) {
    for (const line of omissionLines(indexed)) writeLine(io.stderr, printable(line));
    writeLine(io.stderr, `Indexed ${indexedText(indexed)}`);
  }
  writeLine(
    io.stderr,
    provider === 'local'
      ? `Answering with the embedded demonstration model, which only quotes your documents, since ${reason}`
      : `Answering with ${provider}:${name}, since ${reason}`,
  );
}

/** '12 passages of 1 file in 0.1 s' */
export function indexedText({ files, passages, milliseconds }: Indexed): string {
  const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`;
  return `${count(passages, 'passage')} of ${count(files, 'file')} in ${(milliseconds / 1000).toFixed(1)} s`;
}
