import type { Message } from '../messages/message.js';
import type { ResolvedChatOptions } from '../options/chat-options.js';
import type { ChatModelCapabilities } from './chat-model.js';

const NONE: readonly string[] = Object.freeze([]);

/** What a request asks for and the capabilities do not list, as dotted names: 'tools', 'options.topK', 'media.input.image/png'. */
export function unsupportedCapabilities(
  capabilities: ChatModelCapabilities,
  messages: readonly Message[],
  options: ResolvedChatOptions,
): readonly string[] {
  let missing: string[] | undefined;
  const add = (capability: string): void => {
    missing ??= [];
    if (!missing.includes(capability)) missing.push(capability);
  };
  if (!capabilities.tools && (hasItems(options.tools) || hasItems(options.toolNames))) add('tools');
  if (!capabilities.toolChoice && options.toolChoice !== undefined && options.toolChoice !== 'auto') add('toolChoice');
  if (capabilities.outputSchema === 'none' && options.outputSchema !== undefined) add('outputSchema');
  for (const option of capabilities.unsupportedOptions) {
    if (options[option] !== undefined) add(`options.${option}`);
  }
  for (const message of messages) {
    if (message.type !== 'user') continue;
    for (const { mimeType } of message.media) {
      if (!capabilities.mediaInput.some((pattern) => mimeMatches(pattern, mimeType))) add(`media.input.${mimeType}`);
    }
  }
  return missing ?? NONE;
}

function hasItems(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

/** 'image/*' takes every image, '*' and '*\/*' take all; case and parameters ('; charset=…') do not count. */
function mimeMatches(pattern: string, mimeType: string): boolean {
  const wanted = essenceOf(pattern);
  const given = essenceOf(mimeType);
  if (wanted === '*' || wanted === '*/*' || wanted === given) return true;
  return wanted.endsWith('/*') && given.startsWith(wanted.slice(0, -1));
}

function essenceOf(mimeType: string): string {
  return (mimeType.split(';', 1)[0] ?? '').trim().toLowerCase();
}
