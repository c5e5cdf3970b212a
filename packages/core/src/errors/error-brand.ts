/**
 * Names an error and marks it with a registered symbol, so that `X.is(error)` holds for errors of another copy of the package.
 * Both are hidden from enumeration: loggers print the public fields only.
 */
export function brandError(error: Error, name: string): void {
  Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true });
  Object.defineProperty(error, brandOf(name), { value: true });
}

export function hasErrorBrand(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Reflect.get(value, brandOf(name)) === true;
}

/** For fields that hold contents: a logger that prints an error's own fields must not print them. */
export function hideField(error: Error, field: string, value: unknown): void {
  Object.defineProperty(error, field, { value, configurable: true });
}

function brandOf(name: string): symbol {
  return Symbol.for(name === 'VernalError' ? 'vernal.error' : `vernal.error.${name}`);
}
