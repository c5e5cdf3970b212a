export type { MarkdownLimits, MarkdownReaderOptions } from './markdown-reader.js';
export { MarkdownReader } from './markdown-reader.js';
