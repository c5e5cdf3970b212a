import { commandArguments } from '../arguments.js';
import type { CliIo } from '../cli-io.js';
import type { Interruption } from '../interruption.js';
import { chooseChatModel } from '../models/choose-chat-model.js';
import { chooseEmbeddingModel } from '../models/choose-embedding-model.js';
import { type Environment, setting } from '../models/environment.js';
import { ollamaAddress, ollamaChatModelName } from '../models/ollama-server.js';
import { errorSentence, exitCode } from '../output/error-sentence.js';
import { printable, writeLine } from '../output/write-line.js';
import { usageError } from '../usage-error.js';
import { version } from '../version.js';

/** Of a key only that it is there. */
const KEYS = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY'];
const ADDRESSES = ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'OLLAMA_HOST'];

type Finding =
  | { readonly provider: string; readonly name: string; readonly reason: string }
  | { readonly fault: string };

/** `vernal doctor`: what is configured, which models would be used, and why. A choice that cannot be made is its exit code. */
export async function doctor(args: readonly string[], io: CliIo, { signal }: Interruption): Promise<number> {
  const given = commandArguments('doctor', args, []);
  if (given.positionals.length > 0) throw usageError("vernal doctor takes no arguments; see 'vernal doctor --help'");
  let code = 0;
  const finding = (error: unknown): Finding => {
    signal.throwIfAborted();
    code = exitCode(error);
    return { fault: errorSentence(error, io.env) };
  };
  const chatModel: Finding = await chooseChatModel(given.model, io.env, signal).catch(finding);
  const embeddingModel: Finding = await chosen(() => chooseEmbeddingModel(given.embeddingModel, io.env)).catch(finding);
  const ollama = await ollamaFinding(io.env, signal);
  const environment = Object.fromEntries([
    ...KEYS.map((name) => [name, setting(io.env, name) === undefined ? 'not set' : 'set']),
    ...ADDRESSES.map((name) => [name, shownAddress(setting(io.env, name))]),
  ]);
  const facts = { vernal: await version(), node: process.version };
  if (given.json) {
    writeLine(io.stdout, { type: 'doctor', ...facts, environment, ollama, chatModel, embeddingModel });
    return code;
  }
  const lines: readonly (readonly [name: string, value: string])[] = [
    ['Vernal', facts.vernal],
    ['Node.js', facts.node],
    ...Object.entries<string>(environment),
    ['Ollama server', ollama],
    ['Chat model', findingText(chatModel)],
    ['Embedding model', findingText(embeddingModel)],
  ];
  for (const [name, value] of lines) writeLine(io.stdout, printable(`${name.padEnd(20)}${value}`));
  return code;
}

async function chosen<T>(choose: () => T): Promise<T> {
  return choose();
}

async function ollamaFinding(env: Environment, signal: AbortSignal): Promise<string> {
  let address: string;
  try {
    address = ollamaAddress(env);
  } catch (error) {
    return errorSentence(error, env);
  }
  const model = await ollamaChatModelName(address, signal);
  return model === undefined ? `none with a chat model at ${address}` : `${address}, first chat model ${model}`;
}

/** An address may hold a password. */
function shownAddress(address: string | undefined): string {
  return address?.replace(/\/\/[^/@]*@/, '//…@') ?? 'not set';
}

function findingText(finding: Finding): string {
  return 'fault' in finding ? finding.fault : `${finding.provider}:${finding.name}, since ${finding.reason}`;
}
