import type { ChatResponse } from '@vernal/core';

/**
 * Where `ResponseCacheAdvisor` keeps answers: a map, Redis, a table. `encodeResponse` and `decodeResponse` of core turn an answer into text
 * and back. What it throws is a warning in the client's log, and the model is asked.
 *
 * @example
 * const cache: ResponseCache = {
 *   async get(key) {
 *     const text = await redis.get(key);
 *     return text === null ? undefined : decodeResponse(text);
 *   },
 *   async set(key, response, ttlMs) {
 *     await redis.set(key, encodeResponse(response), ttlMs === undefined ? {} : { PX: ttlMs });
 *   },
 * };
 */
export interface ResponseCache {
  /** Undefined: there is none, or it is too old. Keys are 64 hexadecimal characters. */
  get(key: string): Promise<ChatResponse | undefined>;
  /** `ttlMs`: milliseconds until the answer is too old; as long as the cache likes when it is left out. */
  set(key: string, response: ChatResponse, ttlMs?: number): Promise<void>;
}
