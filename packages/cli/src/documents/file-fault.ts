import { VernalError } from '@vernal/core';

const NO_TEXT = 'it is no UTF-8 text: convert it to text or Markdown in UTF-8, or leave it out';

/** By `details.reason` of what files and readers throw: the same in the words of somebody who has only the command. */
const faults: Readonly<Record<string, string>> = {
  not_found: 'there is nothing at this path: check it',
  access_denied: 'it may not be opened: check its permissions',
  link_loop: 'it is a link that leads to itself: name the file',
  binary: NO_TEXT,
  undecodable: NO_TEXT,
  unsupported_format:
    'nothing here reads such a file: convert it to text, Markdown or one of the formats of the command',
  wrong_type: 'it is not what its name says: rename or convert it',
  encrypted: 'it is encrypted: save it without a password',
  password_required: 'it is encrypted: save it without a password',
  damaged: 'it is damaged or cut: save it again',
  stopped: 'it is damaged: save it again',
  no_text: 'it holds no text, only pictures as a scan does: run a text recognition (OCR) over it, or leave it out',
  too_many_pages: 'it has too many pages: split it',
  too_slow: 'it takes too long to read: save it again, or leave it out',
  memory: 'it takes too much memory to read: split it, or leave it out',
  empty: 'it is empty: save it again',
  not_bytes: 'it cannot be read: check the file, or leave it out',
  unsafe_xml: 'it holds XML that may unfold to anything: save it again',
};

/** Behind the line or the entry that they are about, or 'it'. */
const placedFaults: Readonly<Record<string, string>> = {
  invalid_json: 'is not valid JSON: correct it, or rename the file to .txt',
  too_large: 'is too large, or unpacks to too much',
  too_deep: 'nests too deep: make it flatter, or rename the file to .txt',
};

/** A file that cannot be read, by the name that the user knows it by. */
export function fileFault(name: string, error: unknown): VernalError {
  const reason = VernalError.is(error) ? error.details['reason'] : undefined;
  const known = typeof reason === 'string' && Object.hasOwn(faults, reason) ? faults[reason] : undefined;
  const placed = typeof reason === 'string' && Object.hasOwn(placedFaults, reason) ? placedFaults[reason] : undefined;
  const fault =
    known ??
    (placed !== undefined && VernalError.is(error)
      ? `${placeOf(error)} ${placed}`
      : 'it cannot be read: check the file, or leave it out');
  return new VernalError(`${name}: ${fault}.`, { code: 'resource', subject: name, cause: error });
}

function placeOf({ details }: VernalError): string {
  const { line, index } = details;
  if (line !== undefined) return `line ${String(line)}`;
  return index === undefined ? 'it' : `entry ${Number(index) + 1}`;
}
