import { brandError, hasErrorBrand } from './error-brand.js';
import { type CodedErrorOptions, VernalError } from './vernal-error.js';

/** Names what is missing, or where the fault is; the code may be left out. */
export interface TemplateErrorOptions extends CodedErrorOptions {
  /** Default []. */
  readonly missing?: readonly string[] | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A template that cannot be rendered. Default code `template`. */
export class TemplateError extends VernalError {
  /** Variables that the template names and the caller did not give, in order of appearance. */
  declare readonly missing: readonly string[];
  /** 1-based; absent when the fault has no place. */
  declare readonly line?: number;
  /** 1-based; absent when the fault has no place. */
  declare readonly column?: number;

  constructor(message: string, options: TemplateErrorOptions = {}) {
    super(message, { ...options, code: options.code ?? 'template' });
    brandError(this, 'TemplateError');
    this.missing = options.missing === undefined ? [] : [...options.missing];
    if (options.line !== undefined) this.line = options.line;
    if (options.column !== undefined) this.column = options.column;
  }

  static override is(value: unknown): value is TemplateError {
    return hasErrorBrand(value, 'TemplateError');
  }
}
