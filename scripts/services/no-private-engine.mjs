// Why a test that kills a server cannot be run here; in CI there must be no reason.
import { engine } from './engine.mjs';

/** @returns {string | undefined} */
export function noPrivateEngine(name) {
  const found = engine(name);
  if ('reason' in found) return found.reason;
  return found.how === 'local' ? undefined : `${name} is had by ${found.how}, and only a local server is killed`;
}
