// What a test of a store asks for: where an engine is, or why there is none. In CI an engine that cannot be had is a failure.
import { readState } from './state.mjs';

/** @returns {{ url: string, how: string, version?: string } | { reason: string }} */
export function engine(name) {
  const variable = `VERNAL_${name.toUpperCase()}_URL`;
  const url = process.env[variable];
  if (url) return { url, how: 'environment' };
  const service = readState()[name];
  if (service !== undefined) return service;
  const reason = `no ${name}: run 'pnpm services up ${name}', or set ${variable}`;
  if (process.env.CI) throw new Error(reason);
  return { reason };
}
