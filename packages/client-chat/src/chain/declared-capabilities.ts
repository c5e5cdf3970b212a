import type { ChatModel, ChatOptions, Logger, Media, Message, Prompt, ResolvedChatOptions } from '@vernal/core';
import { UnsupportedCapabilityError } from '@vernal/core';

/**
 * What the model does not declare is refused, or left out with a warning. A hand-written model is not asked to check anything itself;
 * one that extends `BaseChatModel` finds nothing left to refuse.
 */
export function declaredOnly(
  prompt: Prompt,
  model: ChatModel,
  onUnsupported: 'error' | 'warn',
  logger: Logger,
): Prompt {
  const options = undeclaredOptions(prompt.options, model);
  const media = undeclaredMedia(prompt.messages, model.capabilities.mediaInput);
  if (options.length === 0 && media.length === 0) return prompt;
  const found = [
    ...options.map(({ capability }) => capability),
    ...media.map(({ mimeType }) => `media.input.${mimeType}`),
  ];
  const capability = found[0] ?? '';
  if (onUnsupported === 'error') {
    throw new UnsupportedCapabilityError(
      `Model '${model.provider}' does not declare ${[...new Set(found)].join(', ')}: leave it out, take another model, or set onUnsupported to 'warn'`,
      { capability, owner: model.provider, subject: capability },
    );
  }
  logger.warn('Left out what the model does not declare', { model: model.provider, capabilities: found });
  const unset = Object.fromEntries(options.map(({ option }) => [option, null]));
  const kept = options.length === 0 ? prompt : prompt.withOptions(unset);
  return media.length === 0 ? kept : kept.withMessages(prompt.messages.map((message) => withoutMedia(message, media)));
}

interface Undeclared {
  readonly option: keyof ResolvedChatOptions;
  readonly capability: string;
}

const NO_OPTIONS: readonly Undeclared[] = [];
const NO_MEDIA: readonly Media[] = [];

function undeclaredOptions(options: ChatOptions, { capabilities }: ChatModel): readonly Undeclared[] {
  const { tools, toolNames, toolChoice, outputSchema } = options;
  const asksMuch = tools || toolNames || toolChoice || outputSchema;
  if (!asksMuch && capabilities.unsupportedOptions.length === 0) return NO_OPTIONS;
  const found: Undeclared[] = [];
  if (!capabilities.tools) {
    if (tools && tools.length > 0) found.push({ option: 'tools', capability: 'tools' });
    if (toolNames && toolNames.length > 0) found.push({ option: 'toolNames', capability: 'tools' });
  }
  if (!capabilities.toolChoice && toolChoice && toolChoice !== 'auto') {
    found.push({ option: 'toolChoice', capability: 'toolChoice' });
  }
  if (capabilities.outputSchema === 'none' && outputSchema) {
    found.push({ option: 'outputSchema', capability: 'outputSchema' });
  }
  for (const option of capabilities.unsupportedOptions) {
    const value = options[option];
    if (value !== undefined && value !== null) found.push({ option, capability: option });
  }
  return found;
}

function undeclaredMedia(messages: readonly Message[], accepted: readonly string[]): readonly Media[] {
  let found = NO_MEDIA;
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i];
    if (message?.type !== 'user' || message.media.length === 0) continue;
    const refused = message.media.filter(({ mimeType }) => !accepted.some((pattern) => matches(mimeType, pattern)));
    if (refused.length > 0) found = [...found, ...refused];
  }
  return found;
}

/** Patterns are a MIME type, 'image/*' or '*' + '/*'. Case does not matter, parameters neither. */
function matches(mimeType: string, pattern: string): boolean {
  const type = mimeType.toLowerCase().split(';', 1)[0]?.trim() ?? '';
  const wanted = pattern.toLowerCase();
  if (wanted === '*/*' || wanted === '*' || wanted === type) return true;
  return wanted.endsWith('/*') && type.startsWith(wanted.slice(0, -1));
}

function withoutMedia(message: Message, refused: readonly Media[]): Message {
  if (message.type !== 'user' || message.media.length === 0) return message;
  return { ...message, media: message.media.filter((media) => !refused.includes(media)) };
}
