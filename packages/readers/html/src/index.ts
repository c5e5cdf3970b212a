export type { HtmlLimits, HtmlReaderOptions } from './html-reader.js';
export { HtmlReader } from './html-reader.js';
