export type { FileDocumentWriterOptions } from './file-document-writer.js';
export { FileDocumentWriter } from './file-document-writer.js';
export { fileResource } from './file-resource.js';
export type { ListFilesOptions } from './list-files.js';
export { listFiles } from './list-files.js';
