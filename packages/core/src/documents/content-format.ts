import { invalidArgument } from '../errors/invalid-argument.js';
import type { JsonValue } from '../json/json-value.js';
import type { Document } from './document.js';

/**
 * How a document becomes text. Plain data; templates know `{key}` and `{value}`, and `{metadata_string}` and `{content}`.
 * Source: `DefaultContentFormatter` of spring-ai-commons.
 */
export interface ContentFormat {
  /** Default `{key}: {value}`. */
  readonly metadataTemplate?: string;
  /** Default a newline. */
  readonly metadataSeparator?: string;
  /** Default `{metadata_string}`, an empty line, `{content}`; without metadata just the content. */
  readonly textTemplate?: string;
  readonly excludedEmbedMetadataKeys?: readonly string[];
  readonly excludedInferenceMetadataKeys?: readonly string[];
}

/** 'embed' and 'inference' leave out their excluded keys, 'all' leaves out none, 'none' leaves out all metadata. */
export type MetadataMode = 'all' | 'embed' | 'inference' | 'none';

/**
 * Default mode 'all'; `format` stands in for the document's own. Metadata keep their order; text is put in as it is, anything else as
 * JSON. Values are never taken for templates. Mode 'none' gives the content alone; the content of media is ''.
 * Throws `invalid_argument` for an empty template and for an unknown mode.
 * Source: `Document.getFormattedContent` of spring-ai-commons.
 *
 * @example
 * formatDocument(document('Body', { source: 'a.md' })); // 'source: a.md\n\nBody'
 */
export function formatDocument(document: Document, mode: MetadataMode = 'all', format?: ContentFormat): string {
  const content = document.text ?? '';
  if (mode === 'none') return content;
  const used = format ?? document.format ?? {};
  const { metadataTemplate = '{key}: {value}', metadataSeparator = '\n', textTemplate } = used;
  checkTemplate('metadataTemplate', metadataTemplate);
  checkTemplate('textTemplate', textTemplate);
  const excluded = excludedKeys(used, mode);
  const lines: string[] = [];
  for (const [key, value] of Object.entries(document.metadata)) {
    if (!excluded.includes(key)) lines.push(fill(metadataTemplate, { key, value: textOf(value) }));
  }
  if (textTemplate === undefined && lines.length === 0) return content;
  return fill(textTemplate ?? '{metadata_string}\n\n{content}', {
    metadata_string: lines.join(metadataSeparator),
    content,
  });
}

function excludedKeys(format: ContentFormat, mode: MetadataMode): readonly string[] {
  switch (mode) {
    case 'all':
      return [];
    case 'embed':
      return format.excludedEmbedMetadataKeys ?? [];
    case 'inference':
      return format.excludedInferenceMetadataKeys ?? [];
    default:
      throw invalidArgument('mode', "must be 'all', 'embed', 'inference' or 'none'");
  }
}

/** In one pass, so that a value which looks like a placeholder stays as it is. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (found, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : found,
  );
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function checkTemplate(subject: string, template: string | undefined): void {
  if (template !== undefined && template.trim() === '') throw invalidArgument(subject, 'must not be blank');
}
