import { hashedVector } from '../doubles/hashed-vector.js';
import type { WireReply } from './chat-model-wire.js';
import type { EmbeddingModelWire } from './embedding-wire.js';
import { fields, items, text } from './json-reading.js';
import { openAiError } from './openai-errors.js';
import { jsonReply } from './wire-replies.js';

const DEFAULT_DIMENSIONS = 64;

/** Little-endian float32, as `encoding_format: 'base64'` gives it. */
function base64(vector: Float32Array): string {
  const view = new DataView(new ArrayBuffer(vector.length * 4));
  for (const [index, value] of vector.entries()) view.setFloat32(index * 4, value, true);
  let binary = '';
  for (let offset = 0; offset < view.byteLength; offset++) binary += String.fromCharCode(view.getUint8(offset));
  return btoa(binary);
}

function inputs(body: unknown): string[] {
  const { input } = fields(body);
  return typeof input === 'string' ? [input] : items(input).map(text);
}

function call(body: unknown): WireReply {
  const request = fields(body);
  const dimensions = typeof request['dimensions'] === 'number' ? request['dimensions'] : DEFAULT_DIMENSIONS;
  const data = inputs(body).map((input, index) => {
    const vector = hashedVector(input, dimensions);
    return {
      object: 'embedding',
      index,
      embedding: request['encoding_format'] === 'base64' ? base64(vector) : Array.from(vector),
    };
  });
  const tokens = inputs(body).reduce((sum, input) => sum + Math.max(1, Math.ceil(input.length / 4)), 0);
  return jsonReply(200, {
    object: 'list',
    data,
    model: text(request['model']),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

/** OpenAI's embeddings; 64 dimensions unless asked for others. Source: https://platform.openai.com/docs/api-reference/embeddings/create */
export const openAiEmbeddingsWire: EmbeddingModelWire = { call, error: openAiError, inputs };
