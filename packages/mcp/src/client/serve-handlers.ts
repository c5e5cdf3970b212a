import {
  type Client,
  type ClientCapabilities,
  type ClientContext,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import { safeCause } from '@vernal/core';
import type { McpHandlerContext } from './client-handlers.js';
import type { ConnectionSettings } from './connection-options.js';
import { checkedElicitation } from './elicitation.js';
import { neverSignal } from './never-signal.js';
import type { ServerRequestGate } from './server-request-gate.js';

/** What a connection does when its server tells of a change. */
export interface ServerNews {
  /** The roots of now. */
  roots(): NonNullable<ConnectionSettings['roots']>;
  listChanged(list: 'tools' | 'resources' | 'prompts'): void;
  resourceUpdated(uri: string): void;
  /** For what costs something to answer. */
  readonly requests: ServerRequestGate;
}

/** What a server is told that this client can do: what there are handlers for. */
export function declaredCapabilities({ handlers, roots }: ConnectionSettings): ClientCapabilities {
  const { sampling, elicitation } = handlers;
  return {
    ...(roots === undefined ? undefined : { roots: { listChanged: true } }),
    ...(sampling === undefined ? undefined : { sampling: sampling.tools ? { tools: {} } : {} }),
    ...(elicitation === undefined
      ? undefined
      : { elicitation: { form: { applyDefaults: true }, ...(elicitation.url ? { url: {} } : undefined) } }),
  };
}

/** Registers everything that the server may ask or say before the connection opens. */
export function serveHandlers(client: Client, settings: ConnectionSettings, news: ServerNews): void {
  const { handlers, name, roots } = settings;
  const { sampling, elicitation } = handlers;
  const requested = (context: ClientContext): McpHandlerContext => ({
    connection: name,
    signal: context.mcpReq.signal,
    meta: context.mcpReq._meta ?? {},
  });
  if (roots !== undefined) client.setRequestHandler('roots/list', () => ({ roots: [...news.roots()] }));
  if (sampling !== undefined) {
    client.setRequestHandler('sampling/createMessage', async ({ params }, context) => {
      return await answered(settings, news.requests, 'sampling/createMessage', context, () =>
        sampling(params, requested(context)),
      );
    });
  }
  if (elicitation !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }, context) => {
      return await answered(settings, news.requests, 'elicitation/create', context, async () =>
        checkedElicitation(params, await elicitation(params, requested(context))),
      );
    });
  }
  client.setNotificationHandler('notifications/tools/list_changed', () => news.listChanged('tools'));
  client.setNotificationHandler('notifications/resources/list_changed', () => news.listChanged('resources'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => news.listChanged('prompts'));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => news.resourceUpdated(params.uri));
  client.setNotificationHandler('notifications/message', async ({ params }) => {
    const context: McpHandlerContext = { connection: name, signal: neverSignal(), meta: params._meta ?? {} };
    for (const handler of handlers.logging) await heard(settings, () => handler(params, context));
  });
}

/** Runs a listener; what it throws is its own matter. */
export async function heard(settings: ConnectionSettings, tell: () => unknown): Promise<void> {
  try {
    await tell();
  } catch (error) {
    settings.logger.warn('A handler of an MCP connection failed', {
      connection: settings.name,
      cause: safeCause(error),
    });
  }
}

/** The answer to a server's request. The server reads of a failure that there was one, and not its words, which may hold internals. */
async function answered<T>(
  settings: ConnectionSettings,
  requests: ServerRequestGate,
  method: string,
  { mcpReq: { signal } }: ClientContext,
  answer: () => T | Promise<T>,
): Promise<T> {
  try {
    return await requests.run(method, async () => await answer(), signal);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    settings.logger.warn('A request of an MCP server could not be answered', {
      connection: settings.name,
      method,
      cause: safeCause(error),
    });
    throw new ProtocolError(ProtocolErrorCode.InternalError, `The client could not answer ${method}`);
  }
}
