// The program that the official conformance suite starts: the address of its server is the last argument, the scenario is in the environment.
import { CrossAppAccessProvider, requestJwtAuthorizationGrant } from '@modelcontextprotocol/client';
import { isRecord, VernalError } from '@vernal/core';
import {
  ClientCredentialsProvider,
  McpConnection,
  type McpHttpClientOptions,
  PrivateKeyJwtProvider,
  streamableHttpTransport,
} from '@vernal/mcp';
import { HeadlessUser } from './headless-user.js';

/** For one request. */
const MOST_REDIRECTS = 2;

const url = process.argv.at(-1) ?? '';
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const given: unknown = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');

function text(key: string): string {
  const value = isRecord(given) ? given[key] : undefined;
  if (typeof value !== 'string') throw new Error(`the suite gave no ${key}`);
  return value;
}

function authOf(user: HeadlessUser): McpHttpClientOptions['auth'] {
  if (scenario === 'auth/client-credentials-basic')
    return new ClientCredentialsProvider({ clientId: text('client_id'), clientSecret: text('client_secret') });
  if (scenario === 'auth/client-credentials-jwt')
    return new PrivateKeyJwtProvider({
      clientId: text('client_id'),
      privateKey: text('private_key_pem'),
      algorithm: text('signing_algorithm'),
    });
  if (scenario === 'auth/cross-app-access-complete-flow')
    return new CrossAppAccessProvider({
      clientId: text('client_id'),
      clientSecret: text('client_secret'),
      assertion: async ({ authorizationServerUrl, resourceUrl, scope, fetchFn }) => {
        const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
          tokenEndpoint: text('idp_token_endpoint'),
          audience: authorizationServerUrl,
          resource: resourceUrl,
          idToken: text('idp_id_token'),
          clientId: text('idp_client_id'),
          ...(scope === undefined ? undefined : { scope }),
          ...(fetchFn === undefined ? undefined : { fetchFn }),
        });
        return jwtAuthGrant;
      },
    });
  return user;
}

const user = new HeadlessUser(
  scenario === 'auth/pre-registration'
    ? { client_id: text('client_id'), client_secret: text('client_secret') }
    : undefined,
);
const connection = new McpConnection({
  name: 'suite',
  transport: streamableHttpTransport(url, scenario.startsWith('auth/') ? { auth: authOf(user) } : {}),
  handlers: { elicitation: () => ({ action: 'accept', content: {} }) },
});

/** Goes through the redirects that come up, as an application does. */
async function authorised<T>(work: () => Promise<T>): Promise<T> {
  for (let redirects = 0; ; redirects++) {
    try {
      return await work();
    } catch (error) {
      const { callback } = user;
      if (
        !VernalError.is(error) ||
        error.code !== 'mcp_unauthorized' ||
        callback === undefined ||
        redirects >= MOST_REDIRECTS
      )
        throw error;
      user.callback = undefined;
      await connection.finishAuth(callback);
    }
  }
}

try {
  await authorised(() => connection.connect());
  const tools = await authorised(() => connection.listTools());
  for (const { name, inputSchema } of tools) {
    const sums = 'a' in Object(inputSchema['properties']) ? { a: 20, b: 22 } : {};
    await authorised(() => connection.callTool(name, sums));
  }
} finally {
  await connection.close();
}
