import { readFileSync } from 'node:fs';
import { type Document, document } from '@vernal/core';

/**
 * Passages of docs/ and of every package's README on 2026-11-30, cut as the command line tool cuts them. They stay as they are, so that the
 * shares that are measured on them tell of the models and not of new pages.
 */
export function repositoryPassages(): Document[] {
  const fixture = new URL('./fixtures/passages.json', import.meta.url);
  const passages = JSON.parse(readFileSync(fixture, 'utf8')) as { text: string; source: string; title?: string }[];
  return passages.map(({ text, ...metadata }, index) => document({ id: String(index), text, metadata }));
}
