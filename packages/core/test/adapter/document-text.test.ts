import { bytesResource, type Document, document, VernalError, type WritableResource } from '@vernal/core';
import { type DocumentTextOptions, writeDocumentText } from '@vernal/core/adapter';
import { describe, expect, it } from 'vitest';

/** A target that holds text, or that is not there yet. */
function target(held?: string, fault?: VernalError): WritableResource & { readonly text: () => string | undefined } {
  let text = held;
  return {
    text: () => text,
    async bytes(context) {
      if (text !== undefined) return bytesResource(text).bytes(context);
      throw fault ?? new VernalError('gone', { code: 'resource', details: { reason: 'not_found' } });
    },
    async write(content) {
      const decoder = new TextDecoder();
      let written = '';
      if (content instanceof Uint8Array) written = decoder.decode(content);
      else for await (const piece of content) written += decoder.decode(piece);
      text = written;
    },
  };
}

async function written(
  documents: Iterable<Document>,
  options?: DocumentTextOptions,
  held?: string,
): Promise<string | undefined> {
  const to = target(held);
  await writeDocumentText(to, documents, options);
  return to.text();
}

describe('writeDocumentText', () => {
  const documents = [document('one', { page_number: 1, end_page_number: 2 }), document('två')];

  it('writes texts with an empty line between them, in place of what was there', async () => {
    expect(await written(documents)).toBe('one\n\ntvå\n');
    expect(await written(documents, undefined, 'old')).toBe('one\n\ntvå\n');
    expect(await written([], undefined, 'old')).toBe('');
  });

  it('writes markers and metadata when asked to', async () => {
    expect(await written(documents, { markers: true })).toBe(
      '### Doc: 0, pages:[1,2]\none\n\n### Doc: 1, pages:[null,null]\ntvå\n',
    );
    expect(await written([document('x', { a: 1 })], { metadataMode: 'all' })).toBe('a: 1\n\nx\n');
  });

  it('appends to what is there, to what is empty and to what is not there yet', async () => {
    expect(await written(documents, { append: true }, 'old\n')).toBe('old\n\none\n\ntvå\n');
    for (const held of ['', undefined]) expect(await written(documents, { append: true }, held)).toBe('one\n\ntvå\n');
    const denied = new VernalError('denied', { code: 'resource', details: { reason: 'access_denied' } });
    await expect(writeDocumentText(target(undefined, denied), documents, { append: true })).rejects.toBe(denied);
  });

  it('heeds the signal before and between documents, and leaves the target as it was', async () => {
    const to = target('old');
    await expect(writeDocumentText(to, documents, {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
    const controller = new AbortController();
    const source = (function* () {
      yield document('one');
      controller.abort();
      yield document('two');
    })();
    await expect(writeDocumentText(to, source, {}, { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(to.text()).toBe('old');
  });
});
