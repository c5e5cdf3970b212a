import type { LoggingLevel } from '@modelcontextprotocol/client';
import { safeCause } from '@vernal/core';
import type { ClientSession } from './client-session.js';
import type { ConnectionSettings } from './connection-options.js';
import type { ResourceSubscriptions } from './resource-subscriptions.js';

/** Tells a new session what the one before was told. What the server does not take is a warning. */
export async function setUpSession(
  session: ClientSession,
  settings: ConnectionSettings,
  loggingLevel: LoggingLevel | undefined,
  subscriptions: ResourceSubscriptions,
): Promise<void> {
  const { client, modern } = session;
  const options = { timeout: settings.requestTimeoutMs };
  const quietly = async (what: string, work: Promise<unknown>): Promise<void> => {
    await work.catch((error: unknown) => {
      const data = { connection: settings.name, what, cause: safeCause(error) };
      settings.logger.warn('An MCP server did not take what was asked of it when the connection opened', data);
    });
  };
  const { logging, tools, resources, prompts } = client.getServerCapabilities() ?? {};
  if (!modern && loggingLevel !== undefined && logging !== undefined)
    await quietly('logging', client.setLoggingLevel(loggingLevel, options));
  if (modern) {
    const filter = {
      ...(tools?.listChanged ? { toolsListChanged: true } : undefined),
      ...(resources?.listChanged ? { resourcesListChanged: true } : undefined),
      ...(prompts?.listChanged ? { promptsListChanged: true } : undefined),
    };
    if (Object.keys(filter).length > 0) await quietly('lists', client.listen(filter, options));
  }
  for (const uri of subscriptions.uris) await quietly('subscription', subscriptions.add(session, uri, options));
}
