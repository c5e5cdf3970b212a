import { invalidArgument, isPortableToolName, type ToolCall } from '@vernal/core';
import type { SdkConnection } from './provider-connection.js';

/**
 * Refuses a connection to the provider itself without a key, which the server would only say later.
 *
 * @param name - the provider's name as people write it: 'OpenAI'
 */
export function requireApiKey(name: string, connection: SdkConnection<unknown> & { readonly baseURL?: unknown }): void {
  const { apiKey, baseURL, client } = connection;
  if (client !== undefined || baseURL !== undefined || (apiKey !== undefined && apiKey.trim() !== '')) return;
  throw invalidArgument('apiKey', `${name} needs a key; give one, or \`baseURL\` for a server that needs none`);
}

/**
 * Refuses an address that `fetch` would only fail at later.
 *
 * @param example - what an address of this provider looks like: 'https://host/v1'
 */
export function requireHttpAddress(baseURL: string | undefined, example: string): void {
  if (baseURL === undefined || (/^https?:/i.test(baseURL) && URL.canParse(baseURL))) return;
  throw invalidArgument('baseURL', `must be an address with its scheme: '${example}'`);
}

/** The model of a request; for providers that have no default. */
export function requireModel(model: string | undefined): string {
  if (model !== undefined && model !== '') return model;
  throw invalidArgument('model', 'no model is named; set `model` in the options of the call or of the model');
}

/** Names that most providers refuse with a message that nobody understands: anything but 1 to 64 letters, digits, '_' and '-'. */
export function requireToolName(provider: string, name: string): void {
  if (isPortableToolName(name)) return;
  throw invalidArgument(
    'tools',
    `${provider} takes tool names of 1 to 64 letters, digits, '_' and '-'; rename the tool '${name.slice(0, 80)}'`,
  );
}

/** What an earlier tool call was given, for providers that take it back as JSON and not as text. */
export function toolCallInput({ name, arguments: text }: ToolCall): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    throw invalidArgument(
      'messages',
      `the arguments of an earlier call of '${name}' are not JSON; mend or drop that message`,
    );
  }
}
