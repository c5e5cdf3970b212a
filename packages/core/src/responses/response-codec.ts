import type { ChatResponse } from './chat-response.js';

/** Versioned, lossless JSON text, for caches; `usage.native` and metadata that is not JSON are left out. */
export declare function encodeResponse(response: ChatResponse): string;

export declare function decodeResponse(text: string): ChatResponse;
