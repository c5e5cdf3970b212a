import type { Metadata } from '@vernal/core';
import type { PdfFault } from './pdf-fault.js';

/** What of a file is read and how, as data that another thread can be given. */
export interface PdfJob {
  readonly password: string | undefined;
  readonly layout: 'reading' | 'physical';
  readonly joinHyphenated: boolean;
  readonly topMargin: number;
  readonly bottomMargin: number;
  readonly topLines: number;
  readonly bottomLines: number;
  readonly pagesBeforeDeletion: number;
  readonly dropRepeatedLines: boolean;
  readonly images: boolean;
  readonly onPageError: 'metadata' | 'throw';
  readonly maxPages: number;
  readonly maxPageTextLength: number;
  readonly maxPageSeconds: number;
  readonly cMapUrl: string | undefined;
  readonly standardFontDataUrl: string | undefined;
  readonly cut: PageCut | SectionCut;
}

/** A document for so many pages. */
export interface PageCut {
  readonly by: 'pages';
  /** 0: all. */
  readonly pagesPerDocument: number;
  /** In order and without overlap; none: all pages. */
  readonly ranges: readonly PdfPageRange[];
}

/** A document for each entry of the outline. */
export interface SectionCut {
  readonly by: 'sections';
  readonly maxLevel: number;
  readonly withoutOutline: 'error' | 'pages';
}

/** Pages from 1, both inclusive. An end behind the last page is the last page. */
export interface PdfPageRange {
  readonly start: number;
  readonly end: number;
}

/** What becomes a document. */
export interface PdfPart {
  readonly text: string;
  readonly metadata: Metadata;
}

/** How a fault is told of in the metadata of a document. */
export function pageError({ reason, page = 0 }: PdfFault): { readonly page_number: number; readonly reason: string } {
  return { page_number: page, reason };
}
