import type { CallContext } from '@vernal/core';

/** What an index knows of a tool. Plain data. Source: `ToolReference` of Spring AI. */
export interface ToolReference {
  readonly name: string;
  readonly description: string;
  /** Names and descriptions of the parameters, those inside of objects and lists too. */
  readonly parameters: readonly { readonly name: string; readonly description?: string }[];
  /** [] when the tool has none. */
  readonly categories: readonly string[];
}

/** What to look for in the tools of one session. */
export interface ToolIndexQuery {
  readonly session: string;
  /** Not blank. */
  readonly query: string;
  /** A whole number >= 1. */
  readonly maxResults: number;
  /** Only tools of this category, compared as it is. */
  readonly category?: string | undefined;
}

/** A tool that was found. */
export interface ToolMatch {
  readonly name: string;
  /** Higher is better; only comparable within one answer. */
  readonly score: number;
}

/**
 * Finds tools by what they are for. A session is one set of tools: what is indexed under it is found under it and nowhere else.
 * Searches of several sessions run at the same time; the same session is never written twice at once. Source: `ToolIndex`
 * of Spring AI.
 */
export interface ToolIndex {
  /** Takes the place of all that the session held. */
  index(session: string, tools: readonly ToolReference[], context?: CallContext): Promise<void>;
  /** Best first, `maxResults` at most. [] for a session that is not there. */
  search(query: ToolIndexQuery, context?: CallContext): Promise<readonly ToolMatch[]>;
  /** Forgets the session. One that is not there is no error. */
  clear(session: string, context?: CallContext): Promise<void>;
}
