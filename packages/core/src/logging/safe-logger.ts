import { type Logger, noopLogger } from './logger.js';

/** A logger of somebody else's that cannot do harm: one that throws is no reason for a call to fail. Default: says nothing. */
export function safeLogger(logger: Logger | undefined): Logger {
  if (logger === undefined || logger === noopLogger) return noopLogger;
  const quietly = (tell: () => void): void => {
    try {
      tell();
    } catch {
      // There is nobody left to tell.
    }
  };
  return {
    debug: (message, data) => quietly(() => logger.debug(message, data)),
    info: (message, data) => quietly(() => logger.info(message, data)),
    warn: (message, data) => quietly(() => logger.warn(message, data)),
  };
}
