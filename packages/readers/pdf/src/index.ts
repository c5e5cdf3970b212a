export type { PagePdfReaderOptions } from './page-pdf-document-reader.js';
export { PagePdfDocumentReader } from './page-pdf-document-reader.js';
export type { ParagraphPdfReaderOptions } from './paragraph-pdf-document-reader.js';
export { ParagraphPdfDocumentReader } from './paragraph-pdf-document-reader.js';
export type { PdfFaultReason } from './pdf-fault.js';
export type { PdfPageRange } from './pdf-job.js';
export type { PdfLimits, PdfReaderOptions } from './pdf-reader-options.js';
export type { PdfWorkerPoolOptions } from './pdf-worker-pool.js';
export { PdfWorkerPool } from './pdf-worker-pool.js';
