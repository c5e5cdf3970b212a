import { brandError, hasErrorBrand } from './error-brand.js';
import { type CodedErrorOptions, VernalError } from './vernal-error.js';

/** Needs what was asked for and who cannot do it; the code may be left out. */
export interface UnsupportedCapabilityErrorOptions extends CodedErrorOptions {
  readonly capability: string;
  readonly owner: string;
}

/** A model or store was asked for something that its capabilities do not list. Default code `unsupported_capability`. */
export class UnsupportedCapabilityError extends VernalError {
  /** Dotted, as declared: 'tools', 'media.input.audio/*', 'filter.ISNULL', 'mode.hybrid'. */
  declare readonly capability: string;
  /** Name of the model or store. */
  declare readonly owner: string;

  constructor(message: string, options: UnsupportedCapabilityErrorOptions) {
    super(message, { ...options, code: options.code ?? 'unsupported_capability' });
    brandError(this, 'UnsupportedCapabilityError');
    this.capability = options.capability;
    this.owner = options.owner;
  }

  static override is(value: unknown): value is UnsupportedCapabilityError {
    return hasErrorBrand(value, 'UnsupportedCapabilityError');
  }
}
