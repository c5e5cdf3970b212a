import type { JsonValue } from '@vernal/core';
import { type Resource, resourceName, safeCause, VernalError } from '@vernal/core';

/** Why a file, or a page of it, cannot be read: `details.reason` of the errors of the PDF readers. */
export type PdfFaultReason =
  | 'empty'
  | 'wrong_type'
  | 'damaged'
  | 'too_large'
  | 'too_many_pages'
  | 'too_slow'
  | 'password_required'
  | 'password_wrong'
  | 'no_outline'
  | 'memory'
  | 'stopped';

/** What went wrong, as data: it comes from another thread. */
export interface PdfFault {
  readonly reason: PdfFaultReason;
  /** From 1. */
  readonly page?: number | undefined;
}

/** Carries a fault up to where the file's name is known. */
export class PdfFailure extends Error {
  readonly fault: PdfFault;

  constructor(fault: PdfFault, cause?: unknown) {
    super(fault.reason, { cause });
    this.fault = fault;
  }
}

const OF_FILE: Readonly<Record<PdfFaultReason, string>> = {
  empty: 'is empty. Check how it was stored or fetched',
  wrong_type: 'is no PDF. Read it with the reader of its own format',
  damaged: 'is damaged: no page of it can be found. Get the file again, or repair it',
  too_large: 'unpacks to more than limits.maxStreamBytes. Raise it if you trust the file',
  too_many_pages: 'has more pages than limits.maxPages. Raise it if you trust the file',
  too_slow: 'takes longer than limits.maxPageSeconds for a page. Raise it if you trust the file',
  password_required: 'is encrypted. Give its password',
  password_wrong: 'cannot be decrypted with this password. Give the right one',
  no_outline:
    "has no outline that leads to its pages. Set withoutOutline: 'pages' to read it by pages, or use PagePdfDocumentReader",
  memory: 'needs more memory than limits.maxHeapMb. Raise it if you trust the file',
  stopped: 'cannot be read to its end: pdf.js stopped in it. Repair the file, or leave it out',
};

const OF_PAGE: Partial<Readonly<Record<PdfFaultReason, string>>> = {
  damaged: 'is damaged',
  too_large: 'holds more than limits.maxPageTextLength or limits.maxStreamBytes allow',
  too_many_pages: 'has more pages than limits.maxPages. Raise it if you trust the file',
  too_slow: 'takes longer than limits.maxPageSeconds',
  stopped: 'cannot be read to its end',
};
const OTHERS = "Leave onPageError at 'metadata' to read the other pages";

/** Names the file and the page, never their contents and no password. */
export function pdfError(
  { fault: { reason, page }, cause }: PdfFailure,
  resource: Pick<Resource, 'uri' | 'filename'>,
): VernalError {
  const name = resourceName(resource);
  const ofPage = page === undefined ? undefined : OF_PAGE[reason];
  const message = ofPage === undefined ? `${name} ${OF_FILE[reason]}` : `Page ${page} of ${name} ${ofPage}. ${OTHERS}`;
  const details: Record<string, JsonValue> = { reason };
  if (page !== undefined) details['page'] = page;
  return new VernalError(message, { code: 'resource', subject: name, details, cause: safeCause(cause) });
}
