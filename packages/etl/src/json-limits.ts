import { type JsonValue, VernalError } from '@vernal/core';

/** How much of JSON is read before it is refused. */
export interface JsonLimits {
  /** Bytes of a file that is read as a whole, for a `pointer` leads into it; Infinity for no limit. Default 104,857,600. */
  readonly maxFileBytes?: number | undefined;
  /**
   * UTF-16 units of what is parsed at once of a file that is read as it comes: a line, an element of the array with the white space around
   * it, or a root that is no array; Infinity for no limit. The file itself may have any length. Default 16,777,216.
   */
  readonly maxValueLength?: number | undefined;
}

export const JSON_LIMITS = { maxFileBytes: 104_857_600, maxValueLength: 16_777_216 };

/** Where a value stands in a file; neither where it is all of it. */
export interface JsonPlace {
  /** From 1. */
  readonly line?: number | undefined;
  /** From 0. */
  readonly index?: number | undefined;
}

export function tooLongValue(file: string, place: JsonPlace, most: number): VernalError {
  return refused(file, place, `is longer than ${most} UTF-16 units; raise limits.maxValueLength if you trust it`, {
    reason: 'too_large',
    limit: 'maxValueLength',
    most,
  });
}

export function tooDeepValue(file: string, place: JsonPlace): VernalError {
  return refused(file, place, 'is nested too deep to be written as text; flatten it, or leave it out', {
    reason: 'too_deep',
  });
}

function refused(
  file: string,
  { line, index }: JsonPlace,
  fault: string,
  details: Readonly<Record<string, JsonValue>>,
): VernalError {
  const where =
    line !== undefined ? `Line ${line} of ${file}` : index !== undefined ? `Element ${index} of ${file}` : file;
  return new VernalError(`${where} ${fault}`, {
    code: 'resource',
    subject: file,
    details: { ...details, ...(line !== undefined && { line }), ...(index !== undefined && { index }) },
  });
}
