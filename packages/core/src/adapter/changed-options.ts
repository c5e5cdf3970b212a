import { type ChatOptions, overlayChatOptions } from '@vernal/core';

interface WithDefaults {
  readonly defaultOptions?: ChatOptions | undefined;
}

/**
 * The options of a derived model, for `with`: those in `change` replace, undefined keeps, and `defaultOptions` go over the old ones, where
 * null unsets.
 *
 * @example
 * with(change: Partial<AcmeChatModelOptions>): AcmeChatModel {
 *   return new AcmeChatModel(changedOptions(this.#options, change));
 * }
 */
export function changedOptions<T extends WithDefaults>(options: T, change: Partial<T>): T {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const changed: T = { ...options, ...given };
  if (change.defaultOptions === undefined) return changed;
  return { ...changed, defaultOptions: overlayChatOptions(options.defaultOptions, change.defaultOptions) };
}
