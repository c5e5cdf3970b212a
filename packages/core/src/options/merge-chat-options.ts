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
  const layered: ChatOptions = layer(base ?? NO_OPTIONS, over ?? NO_OPTIONS, false);
  // Without its nulls the one is the other.
  return layered as ResolvedChatOptions;
}

/**
 * `over` on `base` like `mergeChatOptions`, but nulls are kept for the layers below: what unsets an option of a client must unset the
 * default of its model too. For code that merges options before a model does.
 */
export function overlayChatOptions(base: ChatOptions | undefined, over: ChatOptions | undefined): ChatOptions {
  if (over === undefined) return base ?? NO_OPTIONS;
  return base === undefined ? over : layer(base, over, true);
}

/** Fields that are null or undefined left out. */
export function withoutNulls(values: Values): Values {
  const kept: Record<string, unknown> = {};
  for (const key in values) {
    const value = values[key];
    if (value !== undefined && value !== null) setOwn(kept, key, value);
  }
  return kept;
}

/** Field by field, because two spreads into one object cost ten times as much and every request comes through here. */
function layer(base: ChatOptions, over: ChatOptions, keepNulls: boolean): ChatOptions {
  const below: Values = base as Values;
  const above: Values = over as Values;
  const merged: Record<string, unknown> = {};
  for (const key in below) {
    const value = above[key] === undefined ? below[key] : overlay(key, below[key], above[key]);
    put(merged, key, value, keepNulls);
  }
  for (const key in above) {
    if (below[key] === undefined) put(merged, key, above[key], keepNulls);
  }
  return merged;
}

function put(merged: Record<string, unknown>, key: string, value: unknown, keepNulls: boolean): void {
  if (value === undefined || key === '__proto__') return;
  if (keepNulls) merged[key] = value;
  else if (value !== null) merged[key] = key === 'providerOptions' ? withoutNullsPerProvider(value as Values) : value;
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
