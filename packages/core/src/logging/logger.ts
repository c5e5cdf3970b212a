/** Where warnings go. Silent unless one is given; nothing in Vernal writes to console. `data` never holds secrets or prompt contents. */
export interface Logger {
  debug(message: string, data?: Readonly<Record<string, unknown>>): void;
  info(message: string, data?: Readonly<Record<string, unknown>>): void;
  warn(message: string, data?: Readonly<Record<string, unknown>>): void;
}

/** Says nothing: the default everywhere. `console` is a `Logger` too. */
export const noopLogger: Logger = Object.freeze({ debug() {}, info() {}, warn() {} });
