export type { HtmlReaderOptions } from './html-reader.js';
export { HtmlReader } from './html-reader.js';
