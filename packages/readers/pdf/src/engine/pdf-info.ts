import type { Metadata } from '@vernal/core';
import type { PdfFile } from './pdf-file.js';

/** What the file says of itself, as metadata of each document. */
export async function infoMetadata(file: PdfFile): Promise<Metadata> {
  const found = await file.attempt(file.document.getMetadata());
  const info = (found?.info ?? {}) as Readonly<Record<string, unknown>>;
  const date = (value: unknown): string | undefined => {
    const parsed = typeof value === 'string' ? file.modules.api.PDFDateString.toDateObject(value) : null;
    return parsed === null || Number.isNaN(parsed.getTime()) ? undefined : parsed.toISOString();
  };
  const known: Record<string, string | undefined> = {
    document_title: words(info['Title']),
    author: words(info['Author']),
    subject: words(info['Subject']),
    keywords: words(info['Keywords']),
    creator: words(info['Creator']),
    producer: words(info['Producer']),
    creation_date: date(info['CreationDate']),
    modification_date: date(info['ModDate']),
    language: words(info['Language']),
  };
  return Object.fromEntries(Object.entries(known).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The label of each page, such as 'iv'; undefined where pages have none. */
export async function pageLabels(file: PdfFile): Promise<readonly string[] | undefined> {
  return (await file.attempt(file.document.getPageLabels())) ?? undefined;
}

function words(value: unknown): string | undefined {
  const text = typeof value === 'string' ? oneLine(value) : '';
  return text === '' ? undefined : text;
}

/** Titles are one line of text: without control characters and lone surrogates. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim();
}
