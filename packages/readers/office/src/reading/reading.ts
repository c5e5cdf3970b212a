import {
  type CallContext,
  type JsonValue,
  type Resource,
  resourceName,
  throwIfAborted,
  VernalError,
} from '@vernal/core';
import type { OfficeLimits, ResolvedLimits } from './office-limits.js';

/** Why a file cannot be read, as `details.reason` of the error. */
export type OfficeFault =
  | 'empty'
  | 'damaged'
  | 'wrong_type'
  | 'too_large'
  | 'unsafe_xml'
  | 'encrypted'
  | 'unsupported_format';

/** Bytes between two looks at the signal; some 40 ms of work. */
const BYTES_A_TURN = 1_048_576;

/** One pass over one file: what it is called in errors, its limits, and how much of them is used up. */
export class Reading {
  readonly name: string;
  readonly limits: ResolvedLimits;
  readonly #signal: AbortSignal | undefined;
  #unpacked = 0;
  #textLength = 0;
  #sinceTurn = 0;

  constructor(resource: Pick<Resource, 'uri' | 'filename'>, limits: ResolvedLimits, context: CallContext | undefined) {
    this.name = resourceName(resource);
    this.limits = limits;
    this.#signal = context?.signal;
  }

  /** `part` is the place in the file: the entry of an archive, a sheet, a line. */
  fault(
    reason: OfficeFault,
    message: string,
    place?: { readonly part?: string; readonly [key: string]: JsonValue | undefined },
  ): VernalError {
    const where = place?.part === undefined ? this.name : `${place.part} in ${this.name}`;
    const details: Record<string, JsonValue> = { reason };
    for (const [key, value] of Object.entries(place ?? {})) if (value !== undefined) details[key] = value;
    return new VernalError(`${where} ${message}`, { code: 'resource', subject: this.name, details });
  }

  tooLarge(limit: keyof OfficeLimits, what: string, part?: string): VernalError {
    const most = this.limits[limit];
    return this.fault('too_large', `${what}, ${most} is the most; raise limits.${limit} if you trust it`, {
      ...(part === undefined ? undefined : { part }),
      limit,
      most,
    });
  }

  /** Counts bytes as they are unpacked. */
  countUnpacked(bytes: number, part: string): void {
    this.#unpacked += bytes;
    if (this.#unpacked > this.limits.maxUnpackedBytes) {
      throw this.tooLarge('maxUnpackedBytes', 'unpacks to too many bytes in total', part);
    }
  }

  /** Counts text before it is kept. */
  countText(length: number): void {
    this.#textLength += length;
    if (this.#textLength > this.limits.maxTextLength) throw this.tooLarge('maxTextLength', 'gives too much text');
  }

  throwIfAborted(): void {
    throwIfAborted(this.#signal);
  }

  /** Lets others have the thread now and then, so that what aborts the signal gets to run. */
  async turn(bytes: number): Promise<void> {
    this.#sinceTurn += bytes;
    if (this.#sinceTurn < BYTES_A_TURN) return;
    this.#sinceTurn = 0;
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.throwIfAborted();
  }
}
