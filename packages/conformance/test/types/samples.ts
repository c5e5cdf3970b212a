// What the type tests take as given. Nothing here runs: the files beside it are compiled, and that is the test.
import type { ChatModel, EmbeddingModel, Logger, ToolCallback } from '@vernal/core';
import type { VectorStore } from '@vernal/vector-store';
import { z } from 'zod';

export declare const model: ChatModel;
export declare const smallModel: ChatModel;
export declare const embeddingModel: EmbeddingModel;
export declare const vectorStore: VectorStore;
export declare const logger: Logger;
export declare const photo: Uint8Array;
export declare function write(text: string): void;

export const Film = z.object({ title: z.string(), year: z.number().int(), cast: z.array(z.string()).default([]) });
export type Film = z.infer<typeof Film>;

/** Fails to compile unless both are the same type. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export declare function expectType<T extends true>(): T | undefined;
export declare const weather: ToolCallback;
export declare const search: ToolCallback;
