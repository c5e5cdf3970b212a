import type { CreateMessageResult, Root } from '@modelcontextprotocol/server';
import { UnsupportedCapabilityError } from '@vernal/core';
import type { McpElicitResult, McpExchange } from './mcp-exchange.js';

/** For what is called without a server, such as an `@McpTool` of the own chat client: nobody is there to be asked. */
export const DETACHED_EXCHANGE: McpExchange = {
  requestId: '',
  clientCapabilities: {},
  samplingEnabled: false,
  elicitationEnabled: false,
  urlElicitationEnabled: false,
  rootsEnabled: false,
  progressEnabled: false,
  sample: (): Promise<CreateMessageResult> => nobody('sampling'),
  elicit: <T>(): Promise<McpElicitResult<T>> => nobody('elicitation'),
  elicitUrl: (): Promise<'cancel'> => nobody('URL elicitation'),
  roots: (): Promise<readonly Root[]> => nobody('roots'),
  ping: (): Promise<void> => nobody('ping'),
  progress: async () => {},
  log: async () => {},
  debug: async () => {},
  info: async () => {},
  warning: async () => {},
  error: async () => {},
};

async function nobody(what: string): Promise<never> {
  throw new UnsupportedCapabilityError(
    `This call did not come through an MCP server, so there is no client for ${what}: look at the exchange's '…Enabled' properties first`,
    { capability: what, owner: 'MCP client' },
  );
}
