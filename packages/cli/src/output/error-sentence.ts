import { ModelError, VernalError } from '@vernal/core';

const names: Readonly<Record<string, string>> = { openai: 'OpenAI', anthropic: 'Anthropic', ollama: 'Ollama' };
const keys: Readonly<Record<string, string>> = { openai: 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY' };
const addresses: Readonly<Record<string, string>> = {
  openai: 'OPENAI_BASE_URL',
  anthropic: 'ANTHROPIC_BASE_URL',
  ollama: 'OLLAMA_HOST',
};

/** One sentence for people: what is wrong and how to mend it, in the words of the command line. */
export function errorSentence(error: unknown): string {
  if (ModelError.is(error)) {
    const name = names[error.provider] ?? error.provider;
    const status = error.status === undefined ? '' : ` (${error.status})`;
    switch (error.code) {
      case 'model_authentication':
        return `${name} refused the key${status}: check ${keys[error.provider] ?? 'the key'}.`;
      case 'model_not_found':
        return `${name} does not know the model or the address${status}: check --model, or ${addresses[error.provider] ?? 'the address'}.`;
      case 'model_connection':
        return `${name} cannot be reached: check the network and ${addresses[error.provider] ?? 'the address'}, or use --model local.`;
    }
  }
  if (VernalError.is(error)) return /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
  const message = error instanceof Error ? error.message : String(error);
  return `Something that Vernal did not expect went wrong: ${message}; run it again with --verbose to see where.`;
}

/** 2: the command line or its input was wrong; 130: stopped by Ctrl-C; 1: anything else. */
export function exitCode(error: unknown): number {
  if (!VernalError.is(error)) return 1;
  if (error.code === 'aborted') return 130;
  return error.code === 'usage' || error.code === 'resource' ? 2 : 1;
}
