import { VernalError } from './vernal-error.js';

export declare class UnsupportedCapabilityError extends VernalError {
  /** Dotted, as declared: 'tools', 'media.input.audio/*', 'filter.ISNULL', 'mode.hybrid'. */
  readonly capability: string;
  /** Name of the model or store. */
  readonly owner: string;
  static override is(value: unknown): value is UnsupportedCapabilityError;
}
