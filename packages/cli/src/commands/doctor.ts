import { commandArguments } from '../arguments.js';
import type { CliIo } from '../cli-io.js';
import { chooseChatModel } from '../models/choose-chat-model.js';
import { chooseEmbeddingModel } from '../models/choose-embedding-model.js';
import { ollamaAddress, ollamaChatModelName } from '../models/ollama-server.js';
import { errorSentence } from '../output/error-sentence.js';
import { version } from '../version.js';

/** `vernal doctor`: what is configured, which models would be used, and why. Keys are never shown. */
export async function doctor(args: readonly string[], io: CliIo, signal: AbortSignal): Promise<number> {
  const given = commandArguments('doctor', args, []);
  const isSet = (name: string): string => ((io.env[name] ?? '').trim() === '' ? 'not set' : 'set');
  const shown = (name: string): string => io.env[name]?.trim() || 'not set';
  const address = ollamaAddress(io.env);
  const [ollama, chat] = await Promise.all([
    ollamaChatModelName(address, signal),
    chooseChatModel(given.model, io.env, signal).catch((error: unknown) => errorSentence(error)),
  ]);
  const embedding = chooseEmbeddingModel(given.embeddingModel);
  const facts: Readonly<Record<string, string>> = {
    Vernal: await version(),
    'Node.js': process.version,
    OPENAI_API_KEY: isSet('OPENAI_API_KEY'),
    OPENAI_BASE_URL: shown('OPENAI_BASE_URL'),
    ANTHROPIC_API_KEY: isSet('ANTHROPIC_API_KEY'),
    ANTHROPIC_BASE_URL: shown('ANTHROPIC_BASE_URL'),
    'Ollama server':
      ollama === undefined ? `none with a chat model at ${address}` : `${address}, first chat model ${ollama}`,
    'Chat model': typeof chat === 'string' ? chat : `${chat.provider}:${chat.name}, since ${chat.reason}`,
    'Embedding model': `${embedding.provider}:${embedding.name}, since ${embedding.reason}`,
  };
  if (given.json) io.stdout.write(`${JSON.stringify({ type: 'doctor', ...facts })}\n`);
  else for (const [name, value] of Object.entries(facts)) io.stdout.write(`${name.padEnd(20)} ${value}\n`);
  return typeof chat === 'string' ? 2 : 0;
}
