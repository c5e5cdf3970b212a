import { usageError } from '../usage-error.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable's value; undefined when it is blank. */
export function setting(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

/** The address in a variable. Throws a usage error for one that is none. */
export function addressSetting(env: Environment, name: string): string | undefined {
  const value = setting(env, name);
  if (value !== undefined && !(/^https?:\/\//i.test(value) && URL.canParse(value))) {
    throw usageError(`${name} is no address: write it as http://host:port/path`, name);
  }
  return value;
}

/** For an option that names a provider of keys. A server of one's own, behind a base URL, may want none. */
export function requireKey(env: Environment, prefix: string, option: string): void {
  const [key, address] = [`${prefix}_API_KEY`, `${prefix}_BASE_URL`];
  if (setting(env, key) !== undefined || setting(env, address) !== undefined) return;
  throw usageError(`${option} needs a key: set ${key}, or ${address} for a server that wants none`, key);
}
