import { BatchError, ModelError, VernalError } from '@vernal/core';
import { type Environment, setting } from '../models/environment.js';
import { printable } from './write-line.js';

interface Provider {
  readonly name: string;
  readonly address: string;
  readonly key?: string;
}

const providers: Readonly<Record<string, Provider>> = {
  openai: { name: 'OpenAI', address: 'OPENAI_BASE_URL', key: 'OPENAI_API_KEY' },
  anthropic: { name: 'Anthropic', address: 'ANTHROPIC_BASE_URL', key: 'ANTHROPIC_API_KEY' },
  ollama: { name: 'Ollama', address: 'OLLAMA_HOST' },
};

/** One sentence for people: what is wrong and how to mend it, in the words of the command line. */
export function errorSentence(error: unknown, env: Environment): string {
  const inEmbedding = BatchError.is(error);
  const fault = inEmbedding && ModelError.is(error.cause) ? error.cause : error;
  return printable(sentence(fault, inEmbedding ? '--embedding-model' : '--model', env)).replace(/\s+/g, ' ');
}

function sentence(error: unknown, option: string, env: Environment): string {
  const known = ModelError.is(error) ? modelSentence(error, option, env) : undefined;
  if (known !== undefined) return known;
  if (VernalError.is(error)) return /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
  const message = error instanceof Error ? error.message : String(error);
  return `Something that Vernal did not expect went wrong (${message}): run it again with --verbose to see where.`;
}

function modelSentence(error: ModelError, option: string, env: Environment): string | undefined {
  const { name, address, key } = providers[error.provider] ?? { name: error.provider, address: 'the address' };
  const facts = [error.status, error.details['provider_code']].filter((fact) => fact !== undefined).join(', ');
  const status = facts === '' ? '' : ` (${facts})`;
  switch (error.code) {
    case 'model_authentication':
      if (key !== undefined && setting(env, key) === undefined && setting(env, address) !== undefined) {
        return `The server at ${address} wants a key: set ${key}.`;
      }
      return `The key was refused by ${name}${status}: check ${key ?? `the server behind ${address}`}, or take another model with ${option}.`;
    case 'model_not_found':
      return `${name} does not know the model or the address${status}: check ${option} and ${address}.`;
    case 'model_connection':
      return `Cannot reach the provider ${name}: check the network and ${address}, or work without it with ${option} local.`;
    case 'model_bad_request':
      return `${name} refused the request${status}: take another model with ${option}.`;
    case 'model_rate_limit':
      return `${name} takes no more requests now${status}: wait, raise the limit of the account, or use ${option} local.`;
    case 'timeout':
      return `${name} did not answer in time: try again, or take another model with ${option}.`;
    default:
      return undefined;
  }
}

/** For machines: stable, where the sentence is not. */
export function errorCode(error: unknown): string {
  return VernalError.is(error) ? error.code : 'unexpected';
}

/** 2: the command line or its input was wrong; 130: stopped by Ctrl-C; 1: anything else. */
export function exitCode(error: unknown): number {
  const code = errorCode(error);
  if (code === 'aborted') return 130;
  // The file of a store is input; a database with a conversation is somewhere else.
  const isStoreFile = code === 'store_read' && VernalError.is(error) && error.subject === 'store';
  return code === 'usage' || code === 'resource' || isStoreFile ? 2 : 1;
}
