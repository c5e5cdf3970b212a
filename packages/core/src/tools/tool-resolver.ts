import type { ToolCallback } from './tool-callback.js';

/** Finds tools by name. Off unless given: a model must not reach what it was not offered. */
export interface ToolCallbackResolver {
  resolve(name: string): ToolCallback | undefined | Promise<ToolCallback | undefined>;
}

export declare function staticToolResolver(tools: readonly ToolCallback[]): ToolCallbackResolver;

/** The first hit wins. */
export declare function delegatingToolResolver(...resolvers: readonly ToolCallbackResolver[]): ToolCallbackResolver;
