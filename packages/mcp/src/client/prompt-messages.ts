import { assistantMessage, type Document, document, type Message, media, userMessage } from '@vernal/core';
import type { McpPromptResult, McpResourceResult } from './protocol-types.js';
import { contentOf } from './tool-content.js';

/**
 * A prompt of a server as messages for a model.
 *
 * @example
 * const messages = promptMessages(await connection.getPrompt('review', { language: 'ts' }));
 * await client.prompt().messages(messages).call().content();
 */
export function promptMessages(result: McpPromptResult): Message[] {
  return result.messages.map(({ role, content }) => {
    const { text = '', media } = contentOf(content);
    const found = media === undefined ? [] : [media];
    return role === 'user' ? userMessage(text, { media: found }) : assistantMessage({ text, media: found });
  });
}

/** A resource that was read as documents, one for each of its contents; `metadata` holds `uri` and `mimeType`. */
export function resourceDocuments(result: McpResourceResult): Document[] {
  return result.contents.map((content) => {
    const { uri, mimeType } = content;
    const metadata = mimeType === undefined ? { uri } : { uri, mimeType };
    if ('text' in content) return document(content.text, metadata);
    const source = { type: 'base64', base64: content.blob } as const;
    return document({ media: media(mimeType ?? 'application/octet-stream', source, { name: uri }), metadata });
  });
}
