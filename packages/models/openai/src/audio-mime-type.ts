const MIME_TYPES: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  opus: 'audio/opus',
  aac: 'audio/aac',
  pcm: 'audio/pcm',
  pcm16: 'audio/pcm',
};

/** Of a format as OpenAI names it. */
export function audioMimeType(format: string): string {
  return (Object.hasOwn(MIME_TYPES, format) ? MIME_TYPES[format] : undefined) ?? `audio/${format}`;
}
