import { setOwn } from '../json/own-property.js';
import type { ChatOptions, ResolvedChatOptions } from './chat-options.js';

type Values = Readonly<Record<string, unknown>>;

const NO_OPTIONS: ResolvedChatOptions = Object.freeze({});

/**
 * `over` on `base`: undefined keeps what is below, null unsets it, lists replace, `toolContext`, `extra` and `providerOptions` merge
 * per key. A null that reaches the end is left out. Neither argument is changed.
 *
 * @example
 * mergeChatOptions({ temperature: 0.7, topP: 1 }, { temperature: undefined, topP: null, maxTokens: 50 });
 * // { temperature: 0.7, maxTokens: 50 }
 */
export function mergeChatOptions(base: ChatOptions | undefined, over: ChatOptions | undefined): ResolvedChatOptions {
  if (base === undefined && over === undefined) return NO_OPTIONS;
  const layered: Values = { ...overlayChatOptions(base, over) };
  const merged: Record<string, unknown> = {};
  for (const key of Object.keys(layered)) {
    const value = layered[key];
    if (value === undefined || value === null) continue;
    setOwn(merged, key, key === 'providerOptions' ? withoutNullsPerProvider(value as Values) : value);
  }
  return merged;
}

/**
 * `over` on `base` like `mergeChatOptions`, but nulls are kept for the layers below: what unsets an option of a client must unset the
 * default of its model too. For code that merges options before a model does.
 */
export function overlayChatOptions(base: ChatOptions | undefined, over: ChatOptions | undefined): ChatOptions {
  if (over === undefined) return base ?? NO_OPTIONS;
  if (base === undefined) return over;
  const above: Values = { ...over };
  const merged: Record<string, unknown> = { ...base };
  for (const key of Object.keys(above)) {
    const value = above[key];
    if (value !== undefined) setOwn(merged, key, overlay(key, merged[key], value));
  }
  return merged;
}

/** Fields that are null or undefined left out. */
export function withoutNulls(values: Values): Values {
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(values)) {
    const value = values[key];
    if (value !== undefined && value !== null) setOwn(kept, key, value);
  }
  return kept;
}

function overlay(key: string, below: unknown, above: unknown): unknown {
  if (below === undefined || below === null || above === null) return above;
  if (key === 'toolContext' || key === 'extra') return overlayValues(below as Values, above as Values);
  if (key === 'providerOptions') return overlayPerProvider(below as Values, above as Values);
  return above;
}

function overlayValues(below: Values, above: Values): Values {
  const merged: Record<string, unknown> = { ...below };
  for (const key of Object.keys(above)) {
    if (above[key] !== undefined) setOwn(merged, key, above[key]);
  }
  return merged;
}

function overlayPerProvider(below: Values, above: Values): Values {
  const merged: Record<string, unknown> = { ...below };
  for (const provider of Object.keys(above)) {
    const own = above[provider];
    const under = merged[provider];
    if (own === undefined) continue;
    const both = own !== null && under !== undefined && under !== null;
    setOwn(merged, provider, both ? overlayValues(under as Values, own as Values) : own);
  }
  return merged;
}

function withoutNullsPerProvider(providers: Values): Values {
  const kept: Record<string, unknown> = {};
  for (const provider of Object.keys(providers)) {
    const own = providers[provider];
    if (own !== undefined && own !== null) setOwn(kept, provider, withoutNulls(own as Values));
  }
  return kept;
}
