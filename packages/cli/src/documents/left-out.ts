/** A file that was left out, or of which something is missing, and why. */
export interface LeftOut {
  readonly source: string;
  /** A sentence that names the file and the fix. */
  readonly reason: string;
}

/** What could not be read of the files of a run. */
export interface Omissions {
  /** Of these there is nothing. */
  readonly skipped: readonly LeftOut[];
  /** Of these there is something. */
  readonly partial: readonly LeftOut[];
}

/** A line for each, for people. */
export function omissionLines({ skipped, partial }: Omissions): string[] {
  return [
    ...skipped.map(({ reason }) => `Left out: ${reason}`),
    ...partial.map(({ reason }) => `Read in part: ${reason}`),
  ];
}
