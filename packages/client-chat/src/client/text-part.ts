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
import { defaultRenderer, invalidArgument, media, Prompt, systemMessage, userMessage } from '@vernal/core';
import { isResource, type MediaToRead, type TextPart } from './read-part.js';
import { isBlank, refuseBlank, refuseBlankKeys } from './refuse-blank.js';
import type { SystemSpec, UserSpec } from './request-specs.js';

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
    refuseBlank('param', name);
    return this.params({ [name]: value });
  }

  params(values: TemplateVariables): this {
    refuseBlankKeys('params', values);
    if (Object.keys(values).length === 0) return this;
    // Undefined is not given: it takes nothing away from what is known.
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    return this.change({ params: { ...this.draft.part.params, ...given } });
  }

  metadata(key: string | MetadataInput, value?: JsonInput): this {
    const values = typeof key === 'string' ? { [key]: value ?? null } : key;
    refuseBlankKeys('metadata', values);
    for (const name in values) {
      if (values[name] === null)
        throw invalidArgument(`metadata.${name}`, 'has a value; leave it out where there is none');
    }
    return this.change({ metadata: { ...this.draft.part.metadata, ...values } });
  }

  protected change(change: Partial<TextPart>): this {
    this.draft.part = { ...this.draft.part, ...change };
    return this;
  }
}

class UserTextSpec extends SystemTextSpec implements UserSpec {
  media(...added: readonly Media[] | readonly [string, Uint8Array | URL | string | Resource]): this {
    const media = isMediaList(added) ? checkedMedia(added) : [mediaOf(...added)];
    return this.change({ media: [...this.draft.part.media, ...media] });
  }
}

function isMediaList(
  added: readonly Media[] | readonly [string, Uint8Array | URL | string | Resource],
): added is readonly Media[] {
  return typeof added[0] !== 'string';
}

function checkedMedia(list: readonly Media[]): readonly Media[] {
  for (const one of list) {
    if (one?.source === undefined) throw invalidArgument('media', 'takes media, or a MIME type and its content');
  }
  return list;
}

function mediaOf(mimeType: string, data: Uint8Array | URL | string | Resource): Media | MediaToRead {
  return isResource(data) ? { mimeType, resource: data } : media(mimeType, data);
}

function checkedText(text: string | Resource): string | Resource {
  if (isResource(text)) return text;
  refuseBlank('text', text);
  return text;
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

/** Messages as a list of lists gives them. Throws `invalid_argument` for what is no message. */
export function flatMessages(messages: readonly (Message | readonly Message[])[]): readonly Message[] {
  return new Prompt(messages.flat()).messages;
}
