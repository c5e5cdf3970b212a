import { type CallContext, invalidArgument, isRecord, type Media, mediaBytes, type Resource } from '@vernal/core';

/** File endings that OpenAI tells formats by, where the subtype is another word. */
const ENDINGS: Readonly<Record<string, string>> = {
  mpeg: 'mp3',
  'x-wav': 'wav',
  wave: 'wav',
  'vnd.wave': 'wav',
  'x-m4a': 'm4a',
  mp4: 'm4a',
  'x-flac': 'flac',
  opus: 'ogg',
  jpeg: 'jpg',
};

/**
 * Media as a file of a form.
 *
 * @throws VernalError `invalid_argument` when it is no media or empty, `invalid_state` when it is only a URL: nothing is fetched here
 */
export function mediaFile(media: Media, subject: string, name: string): File {
  if (!isRecord(media) || typeof media.mimeType !== 'string' || !isRecord(media.source)) {
    throw invalidArgument(subject, 'must be Media, made by media() or mediaFrom()');
  }
  return file(mediaBytes(media), { subject, name: media.name ?? name, mimeType: media.mimeType });
}

/**
 * Sound as a file of a form. A resource is read here, whole.
 *
 * @throws VernalError `invalid_argument` when it is neither a resource nor media, or empty
 */
export async function audioFile(audio: Resource | Media, context: CallContext): Promise<File> {
  const subject = 'audio';
  if (!isRecord(audio)) throw notSound();
  if (typeof audio['bytes'] !== 'function') {
    if (!isRecord(audio['source'])) throw notSound();
    return mediaFile(audio as unknown as Media, subject, 'audio');
  }
  const resource = audio as unknown as Resource;
  const bytes = await resource.bytes(context);
  // Asked after reading: a URL learns its type from the answer.
  return file(bytes, { subject, name: resource.filename ?? 'audio', mimeType: resource.mimeType });
}

function notSound(): Error {
  return invalidArgument(
    'audio',
    'pass a Resource, made by bytesResource, urlResource or fileResource, or Media, made by media()',
  );
}

function file(
  bytes: Uint8Array,
  {
    subject,
    name,
    mimeType,
  }: { readonly subject: string; readonly name: string; readonly mimeType: string | undefined },
): File {
  if (!(bytes instanceof Uint8Array) || bytes.length === 0) throw invalidArgument(subject, 'holds no bytes');
  const [type] = (mimeType ?? 'application/octet-stream').split(';');
  return new File([bytes as Uint8Array<ArrayBuffer>], fileName(name, type ?? ''), { type: type ?? '' });
}

/** A name with an ending: OpenAI tells the format of a file by it. The SDK takes folders away. */
function fileName(name: string, mimeType: string): string {
  if (/\.\w{2,5}$/.test(name)) return name;
  const subtype = /^(?:audio|video|image)\/([\w.+-]+)$/i.exec(mimeType)?.[1]?.toLowerCase();
  if (subtype === undefined) return name;
  return `${name}.${Object.hasOwn(ENDINGS, subtype) ? ENDINGS[subtype] : subtype}`;
}
