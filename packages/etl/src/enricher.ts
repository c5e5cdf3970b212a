import type { CallContext, ChatModel, Document, PromptTemplate } from '@vernal/core';
import { callText, invalidArgument, requirePlaceholders } from '@vernal/core';

/** What all enrichers take that ask a model. */
export interface EnricherOptions {
  /** Asked once a document. */
  readonly model: ChatModel;
  /** Needs the placeholder `{context_str}`, which the document's text goes into. */
  readonly promptTemplate?: PromptTemplate | undefined;
  /** Model calls at a time; documents keep their order. Default 4. */
  readonly concurrency?: number | undefined;
}

/** Checks what all enrichers share; gives the number of calls at a time. */
export function enricherConcurrency({ model, promptTemplate, concurrency = 4 }: EnricherOptions): number {
  if (typeof model?.call !== 'function') throw invalidArgument('model', 'pass a ChatModel');
  if (promptTemplate !== undefined) requirePlaceholders(promptTemplate, ['context_str']);
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw invalidArgument('concurrency', 'must be a whole number, at least 1');
  return concurrency;
}

/** What the model says about a document; documents without text are not asked about. */
export async function askAbout(
  model: ChatModel,
  template: PromptTemplate,
  document: Document,
  text: string,
  context: CallContext,
): Promise<string> {
  if (document.text === undefined || document.text.trim() === '') return '';
  return (await callText(model, template.create({ context_str: text }), context)).trim();
}
