import { DOC, MSG, OLE, PPT, XLS } from '../any/mime-types.js';
import type { Reading } from '../reading/reading.js';
import { oleNames } from './ole-directory.js';

/**
 * What is in a compound file, by the names of its streams.
 *
 * @throws VernalError `resource` 'encrypted' for a file of Office that is
 */
export function oleType(bytes: Uint8Array, reading: Reading): string {
  const names = new Set(oleNames(bytes));
  if (names.has('EncryptedPackage'))
    throw reading.fault('encrypted', 'is encrypted; open it in Office, remove the password, and save it anew');
  if (names.has('WordDocument')) return DOC;
  if (names.has('Workbook') || names.has('Book')) return XLS;
  if (names.has('PowerPoint Document')) return PPT;
  return names.has('__nameid_version1.0') || names.has('__properties_version1.0') ? MSG : OLE;
}
