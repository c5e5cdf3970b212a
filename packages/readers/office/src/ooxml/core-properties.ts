import type { MetadataInput } from '@vernal/core';
import { fileProperties } from '../reading/file-properties.js';
import { childOf } from '../xml/xml-tree.js';
import type { OoxmlPackage } from './ooxml-package.js';

/** Title, author and dates of a file. */
export async function coreProperties(file: OoxmlPackage): Promise<MetadataInput> {
  const part = (await file.relationships('')).find(({ type }) => type === 'core-properties')?.target;
  if (part === undefined || !file.archive.has(part)) return {};
  const root = await file.tree(part);
  const text = (name: string): string | undefined => childOf(root, name)?.text;
  return fileProperties({
    document_title: text('title'),
    author: text('creator'),
    subject: text('subject'),
    keywords: text('keywords'),
    description: text('description'),
    created: text('created'),
    modified: text('modified'),
  });
}
