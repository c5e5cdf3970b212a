import type { ChatModel } from '@vernal/core';
import type { SimpleVectorStore } from '@vernal/vector-store';
import type { CommandArguments } from './arguments.js';
import type { CliIo } from './cli-io.js';
import { documentFiles } from './documents/document-files.js';
import { indexDocuments } from './documents/index-documents.js';
import { openStore } from './documents/open-store.js';
import { type ChatChoice, chooseChatModel, createChatModel } from './models/choose-chat-model.js';
import { chooseEmbeddingModel, createEmbeddingModel } from './models/choose-embedding-model.js';
import { progressOf } from './output/progress.js';
import { usageError } from './usage-error.js';

/** What ask and chat work with. */
export interface Session {
  readonly model: ChatModel;
  readonly choice: ChatChoice;
  readonly store: SimpleVectorStore;
}

/** Chooses the models, opens the store and indexes the documents, and says so. */
export async function openSession(
  command: string,
  args: CommandArguments,
  io: CliIo,
  signal: AbortSignal,
): Promise<Session> {
  if (args.docs.length === 0 && args.store === undefined) {
    throw usageError(`No document found: give --docs PATH or --store FILE; see 'vernal ${command} --help'`, 'docs');
  }
  const files = await documentFiles(args.docs, io.cwd, signal);
  const choice = await chooseChatModel(args.model, io.env, signal);
  const model = await createChatModel(choice, io.env);
  const embeddingModel = await createEmbeddingModel(chooseEmbeddingModel(args.embeddingModel), io.env);
  const store = await openStore(args.store, embeddingModel, { cwd: io.cwd, mustExist: true, signal });
  const indexed =
    files.length === 0 ? undefined : await indexDocuments(files, store, progressOf(io, args.json), signal);
  const about = { provider: choice.provider, model: choice.name, reason: choice.reason };
  if (args.json) io.stdout.write(`${JSON.stringify({ type: 'ready', ...about, passages: store.size, ...indexed })}\n`);
  else {
    if (indexed !== undefined) {
      io.stderr.write(
        `Indexed ${indexed.passages} passages of ${indexed.files} files in ${(indexed.milliseconds / 1000).toFixed(1)} s\n`,
      );
    }
    io.stderr.write(`${introduction(choice)}\n`);
  }
  return { model, choice, store };
}

function introduction({ provider, name, reason }: ChatChoice): string {
  if (provider !== 'local') return `Answering with ${provider}:${name}, since ${reason}`;
  return `Answering with the embedded demonstration model, which only quotes your documents, since ${reason}`;
}
