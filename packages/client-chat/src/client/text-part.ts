import type {
  JsonInput,
  Media,
  Message,
  MetadataInput,
  Resource,
  SystemMessage,
  TemplateRenderer,
  TemplateVariables,
  UserMessage,
} from '@vernal/core';
import { defaultRenderer, invalidArgument, media, mediaFrom, readText, systemMessage, userMessage } from '@vernal/core';
import { isBlank, refuseBlank } from './refuse-blank.js';
import type { SystemSpec, UserSpec } from './request-specs.js';

/** Media that is read when the call runs. */
interface MediaToRead {
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

/** One for all, so that a template is parsed once. */
const standardRenderer: TemplateRenderer = /* @__PURE__ */ defaultRenderer();
const NO_TEXT: TextPart = { text: undefined, params: undefined, metadata: undefined, media: [] };

export type SystemChange = string | Resource | ((spec: SystemSpec) => unknown);
export type UserChange = string | Resource | ((spec: UserSpec) => unknown);

/** A text replaces the text; params and metadata are merged key by key, media are added. */
export function changeSystem(part: TextPart | undefined, change: SystemChange): TextPart {
  return changed(part ?? NO_TEXT, change, (draft) => new SystemTextSpec(draft));
}

export function changeUser(part: TextPart | undefined, change: UserChange): TextPart {
  return changed(part ?? NO_TEXT, change, (draft) => new UserTextSpec(draft));
}

interface Draft {
  part: TextPart;
}

function changed<S extends SystemSpec>(
  part: TextPart,
  change: string | Resource | ((spec: S) => unknown),
  specOf: (draft: Draft) => S,
): TextPart {
  if (typeof change !== 'function') return { ...part, text: checkedText(change) };
  const draft: Draft = { part };
  change(specOf(draft));
  return draft.part;
}

class SystemTextSpec implements SystemSpec {
  protected readonly draft: Draft;

  constructor(draft: Draft) {
    this.draft = draft;
  }

  text(text: string | Resource): this {
    return this.change({ text: checkedText(text) });
  }

  param(name: string, value: unknown): this {
    return this.params({ [name]: value });
  }

  params(values: TemplateVariables): this {
    const names = Object.keys(values);
    for (const name of names) refuseBlank('param', name);
    if (names.length === 0) return this;
    // Undefined is not given: it takes nothing away from what is known.
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    return this.change({ params: { ...this.draft.part.params, ...given } });
  }

  metadata(key: string | MetadataInput, value?: JsonInput): this {
    if (typeof key === 'string') refuseBlank('metadata', key);
    const values = typeof key === 'string' ? { [key]: value } : key;
    return this.change({ metadata: { ...this.draft.part.metadata, ...values } });
  }

  protected change(change: Partial<TextPart>): this {
    this.draft.part = { ...this.draft.part, ...change };
    return this;
  }
}

class UserTextSpec extends SystemTextSpec implements UserSpec {
  media(...added: readonly Media[] | readonly [string, Uint8Array | URL | string | Resource]): this {
    return this.change({ media: [...this.draft.part.media, ...(isMediaList(added) ? added : [mediaOf(...added)])] });
  }
}

function isMediaList(
  added: readonly Media[] | readonly [string, Uint8Array | URL | string | Resource],
): added is readonly Media[] {
  return typeof added[0] !== 'string';
}

function mediaOf(mimeType: string, data: Uint8Array | URL | string | Resource): Media | MediaToRead {
  return isResource(data) ? { mimeType, resource: data } : media(mimeType, data);
}

function checkedText(text: string | Resource): string | Resource {
  if (isResource(text)) return text;
  refuseBlank('text', text);
  return text;
}

function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'bytes') === 'function';
}

/** True when `readPart` has something to wait for. */
export function mustRead(part: TextPart | undefined): boolean {
  return part !== undefined && (isResource(part.text) || part.media.some((one) => 'resource' in one));
}

/** The same part with its resources read. */
export async function readPart(
  part: TextPart | undefined,
  context: { readonly signal: AbortSignal | undefined },
): Promise<TextPart | undefined> {
  if (part === undefined) return undefined;
  const text = isResource(part.text) ? await readText(part.text, context) : (part.text ?? '');
  const read = part.media.map((one) =>
    'resource' in one ? mediaFrom(one.resource, { mimeType: one.mimeType, ...context }) : one,
  );
  return { ...part, text: isBlank(text) ? undefined : text, media: await Promise.all(read) };
}

/** Undefined for a text that says nothing. */
export function systemOf(part: TextPart, renderer: TemplateRenderer | undefined): SystemMessage | undefined {
  const text = rendered(part, renderer);
  if (text === undefined) return undefined;
  return part.metadata === undefined ? systemMessage(text) : systemMessage(text, { metadata: part.metadata });
}

/** Undefined for a text that says nothing, unless it has media. */
export function userOf(part: TextPart, renderer: TemplateRenderer | undefined): UserMessage | undefined {
  const text = rendered(part, renderer);
  const { metadata, media } = part;
  if (media.length === 0) {
    if (text === undefined) return undefined;
    return metadata === undefined ? userMessage(text) : userMessage(text, { metadata });
  }
  return userMessage(text ?? '', { metadata, media: media.filter((one): one is Media => 'source' in one) });
}

/**
 * Undefined when it is blank. Rendered only when there is something to fill in: a text without params is literal, braces and all, and
 * was refused or left out where it came in if it was blank.
 */
function rendered({ text, params }: TextPart, renderer: TemplateRenderer | undefined): string | undefined {
  if (typeof text !== 'string') return undefined;
  if (params === undefined) return text;
  const filled = (renderer ?? standardRenderer).render(text, params);
  return isBlank(filled) ? undefined : filled;
}

/** Messages as a list of lists gives them. Throws `invalid_argument` for holes. */
export function flatMessages(messages: readonly (Message | readonly Message[])[]): readonly Message[] {
  const flat = messages.flat();
  for (const [i, message] of flat.entries()) {
    if (typeof message !== 'object' || message === null) throw invalidArgument(`messages[${i}]`, 'must be a message');
  }
  return flat;
}
