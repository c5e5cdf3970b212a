import type { ContentBlockSourceContent, DocumentBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { invalidArgument, type Media } from '@vernal/core';
import { mediaBlock } from './anthropic-media.js';

/**
 * A document that the model answers from and, unless `citations` is false, cites. It goes in front of the last user message.
 * Source: `AnthropicCitationDocument` of Spring AI; https://platform.claude.com/docs/en/build-with-claude/citations
 *
 * @example
 * const facts: AnthropicCitationDocument = { source: { type: 'text', text: 'The grass is green.' }, title: 'Facts' };
 */
export interface AnthropicCitationDocument {
  readonly source: AnthropicDocumentSource;
  /** What citations call it. The model does not quote from it. */
  readonly title?: string | undefined;
  /** What the model is told about the document beside its content; never cited. */
  readonly context?: string | undefined;
  /** May the model cite it? All documents of a request, or none. Default true. */
  readonly citations?: boolean | undefined;
  /** Ends a part of the prompt that is cached, for so long. At most four parts of a request are. Default: none. */
  readonly cacheTtl?: '5m' | '1h' | undefined;
}

/**
 * What citations point at depends on it: characters of a text, pages of a PDF (`media('application/pdf', …)` as bytes, base64 or URL), or
 * blocks, which are never cut into smaller pieces.
 */
export type AnthropicDocumentSource =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'media'; readonly media: Media }
  | { readonly type: 'blocks'; readonly blocks: readonly (string | Media)[] };

export function documentBlock(document: AnthropicCitationDocument): DocumentBlockParam {
  const { title, context, citations = true } = document;
  return {
    ...contentOf(document.source),
    ...(title === undefined ? {} : { title }),
    ...(context === undefined ? {} : { context }),
    citations: { enabled: citations },
  };
}

function contentOf(source: AnthropicDocumentSource): DocumentBlockParam {
  switch (source.type) {
    case 'text':
      return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: source.text } };
    case 'media': {
      const block = mediaBlock(source.media);
      if (block.type === 'document') return block;
      throw invalidArgument('citationDocuments', 'an image is no document; put it into `blocks`, or into the message');
    }
    case 'blocks':
      return { type: 'document', source: { type: 'content', content: source.blocks.map(contentBlock) } };
  }
}

function contentBlock(block: string | Media): ContentBlockSourceContent {
  if (typeof block === 'string') return { type: 'text', text: block };
  const image = mediaBlock(block);
  if (image.type === 'image') return image;
  throw invalidArgument('citationDocuments', 'blocks are texts and images; a PDF is a document of its own');
}
