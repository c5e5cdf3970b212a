import { hashedVector } from '../doubles/hashed-vector.js';
import type { WireErrorKind, WireReply } from './chat-model-wire.js';
import type { EmbeddingModelWire } from './embedding-wire.js';
import { fields, items, text } from './json-reading.js';
import { ollamaChatWire } from './ollama-chat-wire.js';
import { jsonReply } from './wire-replies.js';

function inputs(body: unknown): string[] {
  const { input } = fields(body);
  return typeof input === 'string' ? [input] : items(input).map(text);
}

function call(body: unknown): WireReply {
  const request = fields(body);
  const dimensions = typeof request['dimensions'] === 'number' ? request['dimensions'] : 64;
  const texts = inputs(body);
  return jsonReply(200, {
    model: text(request['model']),
    embeddings: texts.map((input) => Array.from(hashedVector(input, dimensions))),
    total_duration: 14143917,
    load_duration: 1019500,
    prompt_eval_count: texts.reduce((sum, input) => sum + Math.max(1, Math.ceil(input.length / 4)), 0),
  });
}

/** Ollama's embeddings; 64 dimensions unless asked for others. Source: https://docs.ollama.com/api/embed */
export const ollamaEmbedWire: EmbeddingModelWire = {
  call,
  error: (kind: Exclude<WireErrorKind, 'mid-stream'>) => ollamaChatWire.error(kind),
  inputs,
};
