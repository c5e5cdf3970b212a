import type { CallContext, Document, DocumentReader, MetadataInput, Resource } from '@vernal/core';
import { bytesResource, invalidArgument, VernalError } from '@vernal/core';
import type { Address, Attachment, Email } from 'postal-mime';
import { htmlBlocks } from '../html/html-blocks.js';
import { fileProperties } from '../reading/file-properties.js';
import type { Reading } from '../reading/reading.js';
import { checkReader, collect, type OfficeReaderOptions, type Unit, unitDocuments } from '../reading/unit-documents.js';
import { BlockText } from '../text/block-text.js';

/** What of a mail is read. Left out: its text, its headers as metadata, and the names of what is attached. */
export interface EmlReaderOptions extends OfficeReaderOptions {
  /** Makes the reader of what is attached; undefined leaves it out. Its documents follow that of the mail, with `attachment_of`. */
  readonly attachments?: ((attachment: Resource) => DocumentReader | undefined) | undefined;
  /** Called for each attachment that cannot be read, which is then left out. Without it such an attachment is the error. */
  readonly onBadAttachment?: ((error: VernalError, attachment: Resource) => void) | undefined;
  /** Writes targets behind links, where the text is made of HTML. Default false. */
  readonly includeLinkUrls?: boolean | undefined;
}

/** Recipients and attachments that are named in the metadata. */
const MOST_NAMED = 200;
const HEADERS =
  /^(?:from|to|subject|date|received|message-id|mime-version|content-type|return-path|delivered-to|x-[\w-]+)$/;

/**
 * Reads mail (.eml, RFC 5322 with MIME): one document of its text, which is the plain part, or that of the HTML part where there is no
 * other. Attached mails are attachments.
 *
 * Metadata: `source`, `file_name`, `mime_type`, `unit` 'message', `title` (the subject), `from`, `to`, `cc`, `date` (ISO 8601),
 * `message_id`, `in_reply_to`, and `attachments`: `{ name, mime_type, size }` of each.
 *
 * Source: Spring AI's `TikaDocumentReader`.
 *
 * @throws VernalError `invalid_argument` for a bad option; `resource` with `details.reason` 'empty', 'wrong_type', 'damaged' or
 * 'too_large'; what the reader of an attachment throws, unless `onBadAttachment` is given
 *
 * @example
 * const reader = new EmlReader(fileResource('order.eml'), { attachments: (file) => new AnyReader(file) });
 */
export class EmlReader implements DocumentReader {
  readonly #resource: Resource;
  readonly #options: EmlReaderOptions;

  constructor(resource: Resource, options: EmlReaderOptions = {}) {
    checkReader(resource, options, ['attachments', 'onBadAttachment', 'includeLinkUrls']);
    for (const name of ['attachments', 'onBadAttachment'] as const)
      if (options[name] !== undefined && typeof options[name] !== 'function')
        throw invalidArgument(name, 'must be a function');
    this.#resource = resource;
    this.#options = options;
  }

  read(options?: CallContext): Promise<Document[]> {
    return collect(this.stream(options));
  }

  /** The mail is parsed as a whole. */
  stream(options?: CallContext): AsyncGenerator<Document> {
    return unitDocuments(this.#resource, this.#options, options, {
      mimeType: 'message/rfc822',
      units: (bytes, reading) => emlUnits(this.#resource, bytes, reading, this.#options, options),
    });
  }
}

async function* emlUnits(
  resource: Resource,
  bytes: Uint8Array,
  reading: Reading,
  options: EmlReaderOptions,
  context: CallContext | undefined,
): AsyncGenerator<Unit> {
  const mail = await parse(bytes, reading);
  const text = mail.text?.trim()
    ? mail.text.replace(/\r\n?/g, '\n').trim()
    : htmlText(mail.html ?? '', reading, options);
  reading.countText(text.length);
  const title = fileProperties({ title: mail.subject });
  // A mail that only says what it is about says that.
  const said = text === '' ? String(title['title'] ?? '') : text;
  if (said !== '' || mail.attachments.length > 0)
    yield { text: said, metadata: { unit: 'message', ...title, ...metadataOf(mail) } };
  if (options.attachments === undefined) return;
  for (const [index, attachment] of mail.attachments.entries()) {
    const file = attachedFile(resource, attachment, index);
    const reader = options.attachments(file);
    if (reader === undefined) continue;
    try {
      for await (const { text: found, media, metadata } of reader.stream(context)) {
        yield { text: found, media, metadata: { ...metadata, attachment_of: resource.uri ?? resource.filename } };
      }
    } catch (error) {
      reading.throwIfAborted();
      if (options.onBadAttachment === undefined || !VernalError.is(error)) throw error;
      options.onBadAttachment(error, file);
    }
  }
}

async function parse(bytes: Uint8Array, reading: Reading): Promise<Email> {
  // Who reads no mail does not load it.
  const { default: PostalMime } = await import('postal-mime');
  let mail: Email;
  try {
    mail = await PostalMime.parse(bytes, {
      forceRfc822Attachments: true,
      maxNestingDepth: Math.min(reading.limits.maxDepth, 256),
    });
  } catch {
    // Its message may quote the mail.
    throw reading.fault('damaged', 'is a mail with too many headers, or with parts too deep inside each other');
  }
  reading.throwIfAborted();
  if (!mail.headers.some(({ key, value }) => HEADERS.test(key) && value !== '')) {
    throw reading.fault('wrong_type', 'is not a mail; use readAny, which looks at the content');
  }
  return mail;
}

function htmlText(html: string, reading: Reading, { includeLinkUrls = false }: EmlReaderOptions): string {
  const text = new BlockText(reading);
  for (const block of htmlBlocks(html, reading, { includeLinkUrls }).blocks) text.add(block);
  return text.take();
}

function metadataOf({ from, to, cc, date, messageId, inReplyTo, attachments }: Email): MetadataInput {
  const list = (addresses: readonly Address[] | undefined): string[] =>
    (addresses ?? []).slice(0, MOST_NAMED).flatMap(addressTexts);
  return {
    ...fileProperties({
      from: from === undefined ? undefined : addressTexts(from).join(', '),
      date,
      message_id: messageId,
      in_reply_to: inReplyTo,
    }),
    ...(to !== undefined && to.length > 0 && { to: list(to) }),
    ...(cc !== undefined && cc.length > 0 && { cc: list(cc) }),
    ...(attachments.length > 0 && {
      attachments: attachments.slice(0, MOST_NAMED).map((one, index) => ({
        name: nameOf(one, index),
        mime_type: one.mimeType,
        size: contentOf(one).length,
      })),
    }),
  };
}

function addressTexts(address: Address): string[] {
  if (address.group !== undefined) return address.group.slice(0, MOST_NAMED).flatMap(addressTexts);
  const { name, address: mailbox = '' } = address;
  return [(name === '' || name === mailbox ? mailbox : `${name} <${mailbox}>`).slice(0, 500)];
}

function attachedFile({ uri, filename }: Resource, attachment: Attachment, index: number): Resource {
  const name = nameOf(attachment, index);
  const of = uri ?? filename;
  return bytesResource(contentOf(attachment), {
    filename: name,
    mimeType: attachment.mimeType,
    ...(of !== undefined && { uri: `${of}#${encodeURIComponent(name)}` }),
  });
}

/** The last segment, for a name is never a path. */
function nameOf({ filename, mimeType }: Attachment, index: number): string {
  const name = (filename ?? '')
    .replace(/^.*[/\\]/s, '')
    .trim()
    .slice(0, 255);
  return name === '' ? `attachment-${index + 1}${mimeType === 'message/rfc822' ? '.eml' : ''}` : name;
}

function contentOf({ content }: Attachment): Uint8Array {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  return content instanceof Uint8Array ? content : new Uint8Array(content);
}
