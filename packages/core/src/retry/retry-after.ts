/**
 * Milliseconds to wait by a response's headers: `retry-after-ms`, else `retry-after` in seconds or as an HTTP date (never below 0).
 * Undefined when there is none or it cannot be read.
 *
 * @param headers - `Headers`, or a record with names in lower case
 * @param now - milliseconds since 1970, for dates; default the clock
 */
export function retryAfterMs(headers: object, now?: number): number | undefined {
  const milliseconds = numberOf(headerOf(headers, 'retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds;
  const text = headerOf(headers, 'retry-after');
  const seconds = numberOf(text);
  if (seconds !== undefined) return seconds * 1_000;
  // A date has letters; Date.parse would read '-5' or '1.2.3' as one.
  const date = text !== undefined && /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - (now ?? Date.now()));
}

function headerOf(headers: object, name: string): string | undefined {
  const value: unknown =
    'get' in headers && typeof headers.get === 'function' ? headers.get(name) : Reflect.get(headers, name);
  return typeof value === 'string' ? value.trim() : undefined;
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
