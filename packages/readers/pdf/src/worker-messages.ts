import type { PdfFault } from './pdf-fault.js';
import type { PdfJob, PdfPart } from './pdf-job.js';

/** What a thread is told: a file to read, and that there is room for more parts of it. `reading` counts the files. */
export type ToThread =
  | { readonly kind: 'read'; readonly reading: number; readonly bytes: Uint8Array; readonly job: PdfJob }
  | { readonly kind: 'more'; readonly reading: number };

/** What it answers to each 'more': some parts, and how the file ended if it did. */
export interface FromThread {
  readonly reading: number;
  readonly parts: readonly PdfPart[];
  readonly end?: { readonly fault?: PdfFault; readonly cause?: unknown };
}

/** Limits that hold for all that a thread reads. */
export interface ThreadLimits {
  /** Mebibytes of JavaScript heap. */
  readonly maxHeapMb: number;
  /** Bytes of a stream of the file, unpacked. */
  readonly maxStreamBytes: number;
}

/** Tells a thread of ours from others that a test runner or a pool may have put this file in. */
export interface ThreadData extends ThreadLimits {
  readonly role: 'vernal-pdf';
  /** The page that is read, and a count that goes up with each. A message a page would cost more than it tells. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}
