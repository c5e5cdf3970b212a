import type { DocumentReader, Resource } from '@vernal/core';

/**
 * A reader for files of some kinds, for `readAny`. `open` may import its package when the first such file comes.
 *
 * @example
 * const pdf: ReaderChoice = {
 *   mimeTypes: ['application/pdf'],
 *   open: async (file) => new (await import('@vernal/readers-pdf')).PagePdfDocumentReader(file),
 * };
 */
export interface ReaderChoice {
  /** Without parameters; 'text/*' stands for all of its kind. */
  readonly mimeTypes: readonly string[];
  /** The resource has the MIME type that was found, with the charset that was declared. */
  open(resource: Resource): DocumentReader | Promise<DocumentReader>;
}

export function isChosen({ mimeTypes }: ReaderChoice, type: string): boolean {
  return mimeTypes.some((one) => {
    const wanted = one.toLowerCase();
    return wanted === type || wanted === '*/*' || (wanted.endsWith('/*') && type.startsWith(wanted.slice(0, -1)));
  });
}
