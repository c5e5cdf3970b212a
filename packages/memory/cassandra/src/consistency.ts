import { invalidArgument } from '@vernal/core';

/** How many replicas answer before a call is over; the names are those of `types.consistencies` of the driver. */
export type CassandraMemoryConsistency =
  | 'one'
  | 'two'
  | 'three'
  | 'quorum'
  | 'all'
  | 'localQuorum'
  | 'eachQuorum'
  | 'localOne';

/** Among whom conditional writes are decided: the replicas of the data centre, or all. */
export type CassandraMemorySerialConsistency = 'serial' | 'localSerial';

/** The numbers of the native protocol, version 4, section 3. */
const CODES: Readonly<Record<CassandraMemoryConsistency, number>> = {
  one: 0x01,
  two: 0x02,
  three: 0x03,
  quorum: 0x04,
  all: 0x05,
  localQuorum: 0x06,
  eachQuorum: 0x07,
  localOne: 0x0a,
};
const SERIAL_CODES: Readonly<Record<CassandraMemorySerialConsistency, number>> = { serial: 0x08, localSerial: 0x09 };

/** Throws `invalid_argument` for what is no consistency of reads and writes. */
export function consistencyCode(consistency: CassandraMemoryConsistency): number {
  return codeOf(CODES, consistency, 'consistency');
}

/** Throws `invalid_argument` for what is no serial consistency. */
export function serialConsistencyCode(consistency: CassandraMemorySerialConsistency): number {
  return codeOf(SERIAL_CODES, consistency, 'serialConsistency');
}

function codeOf(codes: Readonly<Record<string, number>>, name: string, subject: string): number {
  const code = Object.hasOwn(codes, name) ? codes[name] : undefined;
  if (code === undefined) throw invalidArgument(subject, `must be one of ${Object.keys(codes).join(', ')}`);
  return code;
}
