export type { StTemplateRendererOptions } from './st-template-renderer.js';
export { StTemplateRenderer } from './st-template-renderer.js';
