import { assistantMessage, media, Prompt, systemMessage, userMessage } from '@vernal/core';
import { anthropicChatOptions } from '@vernal/model-anthropic';
import { describe, expect, it } from 'vitest';
import { answered, exchanged, text } from './answers.js';

type Documents = NonNullable<Parameters<typeof anthropicChatOptions>[0]['citationDocuments']>;

async function sentBlocks(citationDocuments: Documents, prompt = new Prompt('q')): Promise<unknown> {
  const { body } = await exchanged(prompt.withOptions(anthropicChatOptions({ citationDocuments })));
  return (body['messages'] as { content: unknown }[]).at(-1)?.content;
}

const pdf = Uint8Array.of(1);
const PIXEL = { type: 'base64', base64: 'iVBORw0KGgo=' } as const;

describe('documents to be cited', () => {
  it.each<[string, Documents[number], object]>([
    [
      'a text',
      { source: { type: 'text', text: 'The grass is green.' }, title: 'Facts', context: 'From a book.' },
      {
        source: { type: 'text', media_type: 'text/plain', data: 'The grass is green.' },
        title: 'Facts',
        context: 'From a book.',
        citations: { enabled: true },
      },
    ],
    [
      'a PDF as bytes',
      { source: { type: 'media', media: media('application/pdf', pdf) } },
      { source: { type: 'base64', media_type: 'application/pdf', data: 'AQ==' }, citations: { enabled: true } },
    ],
    [
      'a PDF at a URL, not to be cited',
      { source: { type: 'media', media: media('application/pdf', 'https://example.com/a.pdf') }, citations: false },
      { source: { type: 'url', url: 'https://example.com/a.pdf' }, citations: { enabled: false } },
    ],
    [
      'a plain text as media',
      { source: { type: 'media', media: media('text/plain;charset=utf-8', new TextEncoder().encode('é')) } },
      { source: { type: 'text', media_type: 'text/plain', data: 'é' }, citations: { enabled: true } },
    ],
    [
      'blocks of text and images',
      { source: { type: 'blocks', blocks: ['one', media('image/png', PIXEL)] } },
      {
        source: {
          type: 'content',
          content: [
            { type: 'text', text: 'one' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL.base64 } },
          ],
        },
        citations: { enabled: true },
      },
    ],
  ])('%s', async (_, document, block) => {
    expect(await sentBlocks([document])).toEqual([
      { type: 'document', ...block },
      { type: 'text', text: 'q' },
    ]);
  });

  it('are in the last user message only, in front', async () => {
    const prompt = new Prompt([
      systemMessage('s'),
      userMessage('first'),
      assistantMessage('a'),
      userMessage('last', { media: [media('image/png', PIXEL)] }),
    ]);
    const options = anthropicChatOptions({ citationDocuments: [{ source: { type: 'text', text: 'd' } }] });
    const { body } = await exchanged(prompt.withOptions(options));
    const kinds = (body['messages'] as { content: { type: string }[] }[]).map(({ content }) =>
      content.map(({ type }) => type),
    );
    expect(kinds).toEqual([['text'], ['text'], ['document', 'image', 'text']]);
  });

  it.each<[string, Documents[number]]>([
    ['an image for a document', { source: { type: 'media', media: media('image/png', PIXEL) } }],
    ['a PDF among blocks', { source: { type: 'blocks', blocks: [media('application/pdf', pdf)] } }],
  ])('refuse %s', async (_, document) => {
    await expect(sentBlocks([document])).rejects.toMatchObject({
      code: 'invalid_argument',
      subject: 'citationDocuments',
    });
  });

  it('refuse a prompt without a user message', async () => {
    const prompt = new Prompt([systemMessage('s')]);
    await expect(sentBlocks([{ source: { type: 'text', text: 'd' } }], prompt)).rejects.toMatchObject({
      subject: 'citationDocuments',
    });
  });

  it('among the media are cited by their names, when asked for', async () => {
    const shown = userMessage('q', {
      media: [media('application/pdf', pdf, { name: 'report' }), media('image/png', PIXEL)],
    });
    const { body } = await exchanged(new Prompt([shown], anthropicChatOptions({ mediaCitations: true })));
    expect(body['messages']).toMatchObject([
      { content: [{ type: 'document', title: 'report', citations: { enabled: true } }, { type: 'image' }, {}] },
    ]);
    const plain = await exchanged(new Prompt([shown]));
    expect(JSON.stringify(plain.body)).not.toMatch(/citations|report/);
  });
});

describe('citations in answers', () => {
  const document = { cited_text: 'The grass', document_index: 1, document_title: 'Facts', file_id: null };
  const cited = [
    { type: 'char_location', ...document, start_char_index: 0, end_char_index: 9 },
    { type: 'page_location', ...document, document_title: null, start_page_number: 5, end_page_number: 6 },
    { type: 'content_block_location', ...document, start_block_index: 2, end_block_index: 3 },
  ];
  const found = [
    {
      type: 'web_search_result_location',
      url: 'https://example.com',
      title: 'Example',
      cited_text: 'words',
      encrypted_index: 'Eo8B',
    },
    {
      type: 'search_result_location',
      source: 'https://example.com/kb',
      title: 'Base',
      cited_text: 'more',
      search_result_index: 0,
      start_block_index: 0,
      end_block_index: 1,
    },
  ];

  it('are plain, in order, with their places; whole and streamed alike', async () => {
    const both = await answered([text('So '), text('green', cited), text(' and '), text('wet.', found)]);
    expect(both.stream).toEqual(both.call);
    const { text: words, metadata } = { ...both.call.result?.output, metadata: both.call.result?.metadata };
    expect(words).toBe('So green and wet.');
    const place = { textStart: 3, textEnd: 8 };
    const after = { textStart: 13, textEnd: 17 };
    expect(metadata?.['citations']).toEqual([
      { type: 'char_location', title: 'Facts', citedText: 'The grass', start: 0, end: 9, documentIndex: 1, ...place },
      { type: 'page_location', citedText: 'The grass', start: 5, end: 6, documentIndex: 1, ...place },
      {
        type: 'content_block_location',
        title: 'Facts',
        citedText: 'The grass',
        start: 2,
        end: 3,
        documentIndex: 1,
        ...place,
      },
      {
        type: 'web_search_result_location',
        title: 'Example',
        url: 'https://example.com',
        citedText: 'words',
        ...after,
      },
      {
        type: 'search_result_location',
        title: 'Base',
        url: 'https://example.com/kb',
        citedText: 'more',
        start: 0,
        end: 1,
        documentIndex: 0,
        ...after,
      },
    ]);
    expect(metadata?.['citationCount']).toBe(5);
  });

  it('go back with their texts', async () => {
    const content = [text('So '), text('green', cited), text('.', found)];
    const { output } = (await answered(content)).stream.result ?? {};
    const { body } = await exchanged(new Prompt([userMessage('q'), ...(output ? [output] : []), userMessage('why?')]));
    expect((body['messages'] as { content: unknown }[])[1]?.content).toEqual(content);
  });

  it('are absent when there are none', async () => {
    const { call } = await answered([text('ok', [])]);
    expect(call.result?.metadata).not.toHaveProperty('citations');
    expect(call.result?.metadata).not.toHaveProperty('citationCount');
    expect(call.result?.output.metadata).toEqual({});
  });
});
