/** MIME types of what this package knows by its content. */
export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const XLSB = 'application/vnd.ms-excel.sheet.binary.macroenabled.12';
export const ODT = 'application/vnd.oasis.opendocument.text';
export const ODP = 'application/vnd.oasis.opendocument.presentation';
export const ODS = 'application/vnd.oasis.opendocument.spreadsheet';
export const EPUB = 'application/epub+zip';
export const RTF = 'application/rtf';
export const EML = 'message/rfc822';
export const CSV = 'text/csv';
export const TSV = 'text/tab-separated-values';
export const DOC = 'application/msword';
export const PPT = 'application/vnd.ms-powerpoint';
export const XLS = 'application/vnd.ms-excel';
export const MSG = 'application/vnd.ms-outlook';
export const PDF = 'application/pdf';
export const HTML = 'text/html';
export const MARKDOWN = 'text/markdown';
export const JSON_TYPE = 'application/json';
export const JSON_LINES = 'application/jsonl';
export const XML = 'application/xml';
export const PLAIN = 'text/plain';
export const ZIP = 'application/zip';
export const OLE = 'application/x-ole-storage';

/** Of a declared type what stands before its parameters. */
export function essence(mimeType: string | undefined): string {
  return (mimeType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
