import { invalidArgument } from '@vernal/core';
import type { PgSettings } from './pg-settings.js';
import { storableCell } from './pg-text.js';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const LIMITS = { integer: 2n ** 31n, bigint: 2n ** 63n } as const;

/** Ids as parameters. Throws `invalid_argument` for one that the column cannot hold, before anything is written. */
export function idParameters(ids: readonly string[], { idCast, idType }: PgSettings): string[] {
  const fitting = fits(idCast);
  for (const [index, id] of ids.entries()) {
    if (!fitting(id))
      throw invalidArgument(
        `documents[${index}].id`,
        `does not come back from a column of type ${idType} as it is: give ${idCast === 'uuid' ? 'UUIDs in lower case' : 'whole numbers within its range'}, or set idType to 'text'`,
      );
  }
  return idCast === 'text' ? ids.map(storableCell) : [...ids];
}

/** Those that the column could hold: the others are in no table. */
export function possibleIds(ids: readonly string[], { idCast }: PgSettings): string[] {
  return ids.filter(fits(idCast)).map((id) => (idCast === 'text' ? storableCell(id) : id));
}

/** One spelling a value: '01' would come back as '1'. */
function fits(cast: PgSettings['idCast']): (id: string) => boolean {
  if (cast === 'text') return () => true;
  if (cast === 'uuid') return (id) => UUID.test(id);
  const limit = LIMITS[cast];
  return (id) => /^(?:0|-?[1-9]\d{0,18})$/.test(id) && BigInt(id) < limit && BigInt(id) >= -limit;
}
