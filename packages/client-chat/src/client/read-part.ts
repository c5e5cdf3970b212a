import type { CallContext, Media, MetadataInput, Resource, TemplateVariables } from '@vernal/core';
import { mediaFrom, readText } from '@vernal/core';
import { isBlank } from './refuse-blank.js';

/** Media that is read when the call runs. */
export interface MediaToRead {
  readonly mimeType: string;
  readonly resource: Resource;
}

/** The system or the user text of a request: what was said of it so far. Immutable. */
export interface TextPart {
  readonly text: string | Resource | undefined;
  /** Undefined: none, so the text is literal. */
  readonly params: TemplateVariables | undefined;
  readonly metadata: MetadataInput | undefined;
  readonly media: readonly (Media | MediaToRead)[];
}

export function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'bytes') === 'function';
}

/** True when `readPart` has something to wait for. */
export function mustRead(part: TextPart | undefined): boolean {
  if (part === undefined) return false;
  const { text, params, media } = part;
  return isResource(text) || media.some((one) => 'resource' in one) || Object.values(params ?? {}).some(isResource);
}

/** The same part with its resources read. */
export async function readPart(part: TextPart | undefined, context: CallContext): Promise<TextPart | undefined> {
  if (part === undefined) return undefined;
  const text = isResource(part.text) ? await readText(part.text, context) : (part.text ?? '');
  const read = part.media.map((one) =>
    'resource' in one ? mediaFrom(one.resource, { mimeType: one.mimeType, ...context }) : one,
  );
  const [params, media] = await Promise.all([part.params && readParams(part.params, context), Promise.all(read)]);
  return { ...part, text: isBlank(text) ? undefined : text, params, media };
}

async function readParams(params: TemplateVariables, context: CallContext): Promise<TemplateVariables> {
  const read = Object.entries(params).map(async ([name, value]): Promise<[string, unknown]> => {
    return [name, isResource(value) ? await readText(value, context) : value];
  });
  return Object.fromEntries(await Promise.all(read));
}
