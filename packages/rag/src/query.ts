import type { AdvisorContext } from '@vernal/client-chat';
import type { Message } from '@vernal/core';
import { invalidArgument } from '@vernal/core';

/**
 * What is looked for, and where it was asked. Plain data; parts make new ones with `withQuery`.
 *
 * Source: Spring AI `Query`.
 */
export interface Query {
  /** Never blank. */
  readonly text: string;
  /** What was said before, without the question itself. [] when nothing was. */
  readonly history: readonly Message[];
  /** The advisor context of the request, with what parts have added. */
  readonly context: AdvisorContext;
}

/** What a query may be given beside its text. */
export interface QueryInput {
  readonly history?: readonly Message[] | undefined;
  readonly context?: AdvisorContext | undefined;
}

function requireText(text: string): string {
  if (typeof text !== 'string' || text.trim() === '') throw invalidArgument('text', 'a query needs a text');
  return text;
}

/**
 * A query for parts that are used without an advisor.
 *
 * @throws VernalError `invalid_argument` for a blank text
 * @example
 * const documents = await retriever.retrieve(query('How long may I keep it?'));
 */
export function query(text: string, { history = [], context = {} }: QueryInput = {}): Query {
  return { text: requireText(text), history: [...history], context: { ...context } };
}

/** A copy with other parts; those that are left out or undefined stay. Throws `invalid_argument` for a blank text. */
export function withQuery(of: Query, changes: QueryInput & { readonly text?: string | undefined }): Query {
  const { text = of.text, history = of.history, context = of.context } = changes;
  return { ...of, text: requireText(text), history, context };
}
