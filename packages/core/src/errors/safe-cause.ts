import { VernalError } from './vernal-error.js';

/** How far down a chain of causes is followed. */
const MAX_CAUSES = 4;

/** What platforms call their errors: 'ECONNREFUSED', 'UND_ERR_SOCKET', 'ERR_INVALID_URL'. */
const PLATFORM_CODE = /^[A-Z][A-Z0-9_]{2,63}$/;

/**
 * A foreign error as the cause of one of ours, without its words: they may quote an answer, an address with a token in it, or a key, and
 * loggers print causes. Names, codes and the places in the code stay, and the message where it is the platform's own. What is no error
 * object is no cause.
 *
 * @example
 * throw new VernalError('The page cannot be read: check its address', { code: 'resource', cause: safeCause(error) });
 */
export function safeCause(thrown: unknown, depth = 0): unknown {
  if (VernalError.is(thrown)) return thrown;
  if (typeof thrown !== 'object' || thrown === null || depth >= MAX_CAUSES) return undefined;
  const code: unknown = Reflect.get(thrown, 'code');
  const message: unknown = Reflect.get(thrown, 'message');
  const isPlatform = typeof code === 'string' && PLATFORM_CODE.test(code);
  const cause = safeCause(Reflect.get(thrown, 'cause'), depth + 1);
  const safe = new Error(
    isPlatform && typeof message === 'string' ? message : '',
    cause === undefined ? undefined : { cause },
  );
  Object.defineProperty(safe, 'name', { value: nameOf(thrown), configurable: true, writable: true });
  if (isPlatform) Object.assign(safe, { code });
  const head = safe.message === '' ? safe.name : `${safe.name}: ${safe.message}`;
  Object.defineProperty(safe, 'stack', { value: [head, ...frames(thrown)].join('\n'), configurable: true });
  return safe;
}

function nameOf(thrown: object): string {
  for (const name of [Reflect.get(thrown, 'name'), thrown.constructor?.name]) {
    if (typeof name === 'string' && /^\w{1,64}$/.test(name)) return name;
  }
  return 'Error';
}

/** What stands behind the message: a message may have lines of its own that look like places. */
function frames(thrown: object): readonly string[] {
  const stack: unknown = Reflect.get(thrown, 'stack');
  const message: unknown = Reflect.get(thrown, 'message');
  if (typeof stack !== 'string' || typeof message !== 'string') return [];
  const at = stack.indexOf(message);
  // The message was another when the stack was written: where that ends, nobody knows.
  if (at === -1) return [];
  return stack
    .slice(at + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
}
