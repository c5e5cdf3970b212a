import { VernalError } from '@vernal/core';

const NO_TEXT = 'it is no UTF-8 text: convert it to text or Markdown in UTF-8, or leave it out';

/** By `details.reason` of what files and readers throw: the same in the words of somebody who has only the command. */
const faults: Readonly<Record<string, string>> = {
  not_found: 'there is nothing at this path: check it',
  access_denied: 'it may not be opened: check its permissions',
  link_loop: 'it is a link that leads to itself: name the file',
  binary: NO_TEXT,
  undecodable: NO_TEXT,
};

/** A file that cannot be read, by the name that the user knows it by. */
export function fileFault(name: string, error: unknown): VernalError {
  const reason = VernalError.is(error) ? error.details['reason'] : undefined;
  const known = typeof reason === 'string' && Object.hasOwn(faults, reason) ? faults[reason] : undefined;
  const fault =
    known ??
    (reason === 'invalid_json' && VernalError.is(error)
      ? `${placeOf(error)} is not valid JSON: correct it, or rename the file to .txt`
      : 'it cannot be read: check the file, or leave it out');
  return new VernalError(`${name}: ${fault}.`, { code: 'resource', subject: name, cause: error });
}

function placeOf({ details }: VernalError): string {
  const { line, index } = details;
  if (line !== undefined) return `line ${String(line)}`;
  return index === undefined ? 'it' : `entry ${Number(index) + 1}`;
}
