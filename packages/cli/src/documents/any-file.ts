import type { DocumentReader, Resource } from '@vernal/core';
import { JsonReader } from '@vernal/etl';
import type { PdfFiles } from './pdf-files.js';

/** Endings of the files that `anyFileReader` reads and the other readers of the command do not. */
export const officeExtensions: readonly string[] = [
  ...['.pdf', '.docx', '.pptx', '.xlsx', '.odt', '.odp', '.ods', '.rtf', '.epub', '.csv', '.tsv', '.eml'],
];

/** A reader by what the file is, whatever its name says. Imported when the first such file comes. */
export async function anyFileReader(resource: Resource, pdf: PdfFiles): Promise<DocumentReader> {
  const { AnyReader } = await import('@vernal/readers-office');
  return new AnyReader(resource, {
    includeAttachments: true,
    // A mail is worth reading, whatever hangs on it.
    onBadAttachment: () => {},
    readers: [
      { mimeTypes: ['application/json', 'application/jsonl'], open: (file) => new JsonReader(file) },
      { mimeTypes: ['application/pdf'], open: (file) => pdf.reader(file) },
      {
        mimeTypes: ['text/html'],
        open: async (file) => new (await import('@vernal/readers-html')).HtmlReader(file, { splitByHeadings: true }),
      },
      {
        mimeTypes: ['text/markdown'],
        open: async (file) => new (await import('@vernal/readers-markdown')).MarkdownReader(file),
      },
    ],
  });
}
