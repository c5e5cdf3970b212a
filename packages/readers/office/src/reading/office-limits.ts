import { readerLimits } from '@vernal/core/adapter';

/** How much of a file is read before it is refused as too large: what is packed small may unpack to anything. */
export interface OfficeLimits {
  /** Bytes of the file itself. Default 268,435,456. */
  readonly maxFileBytes?: number | undefined;
  /** Entries of a zip archive. Default 10,000. */
  readonly maxEntries?: number | undefined;
  /** Bytes that one entry may unpack to. Default 268,435,456. */
  readonly maxEntryBytes?: number | undefined;
  /** Bytes that all entries which are read may unpack to. Default 536,870,912. */
  readonly maxUnpackedBytes?: number | undefined;
  /** How many bytes one packed byte of an entry may become, beyond its first 4 mebibytes. Default 100. */
  readonly maxRatio?: number | undefined;
  /** Elements, groups or parts inside each other. Default 500. */
  readonly maxDepth?: number | undefined;
  /** UTF-16 units of text that a file may give: a short text may be named a million times. Default 100,000,000. */
  readonly maxTextLength?: number | undefined;
}

/** Limits with nothing left out. */
export type ResolvedLimits = { readonly [K in keyof OfficeLimits]-?: number };

const DEFAULTS: ResolvedLimits = {
  maxFileBytes: 268_435_456,
  maxEntries: 10_000,
  maxEntryBytes: 268_435_456,
  maxUnpackedBytes: 536_870_912,
  maxRatio: 100,
  maxDepth: 500,
  maxTextLength: 100_000_000,
};

/** @throws VernalError `invalid_argument` for a limit that is not a number above 0, and for a name that is no limit */
export function resolveLimits(limits?: OfficeLimits): ResolvedLimits {
  return readerLimits<OfficeLimits>(limits, DEFAULTS);
}
