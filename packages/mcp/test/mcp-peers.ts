import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = new URL('../../../.tools/mcp-peers/node_modules/', import.meta.url);

/** Programs of others that MCP is tested against; `node scripts/mcp-peers.mjs` brings them. */
export const PEERS = {
  conformance: '@modelcontextprotocol/conformance/dist/index.js',
  inspector: '@modelcontextprotocol/inspector/cli/build/cli.js',
  everything: '@modelcontextprotocol/server-everything/dist/index.js',
  /** The Node.js that the suite needs. */
  node: 'node/bin/node',
} as const;

/** Its file; undefined where it was not brought. */
export function peer(name: keyof typeof PEERS): string | undefined {
  const file = fileURLToPath(new URL(PEERS[name], FOLDER));
  return existsSync(file) ? file : undefined;
}

/** For the name of a test that is skipped: why. */
export const PEERS_HINT = '(skipped where `node scripts/mcp-peers.mjs` was not run)';
