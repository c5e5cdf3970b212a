import { VernalError } from '@vernal/core';

/**
 * What an import of a driver gives.
 *
 * @throws VernalError `invalid_state` when it is not installed
 */
export async function driver<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw isMissing(error, name) ? missingDriver(name, `npm install ${name}`) : error;
  }
}

export function missingDriver(subject: string, command: string): VernalError {
  return new VernalError(`The driver ${subject} is not installed: ${command}`, {
    code: 'invalid_state',
    subject,
    details: { command },
  });
}

/** False for a driver that is there and lacks something itself. */
export function isMissing(error: unknown, name: string): boolean {
  const code: unknown = Reflect.get(Object(error), 'code');
  const isModule = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
  return isModule && String(Reflect.get(Object(error), 'message')).includes(`'${name}`);
}
