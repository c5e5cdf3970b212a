// Brings the programs of others that MCP is tested against: the official conformance suite, the inspector, the reference server, and the Node.js
// that the suite needs. `node scripts/mcp-peers.mjs`; tests that find none say so in their names.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pnpm.mjs';

const PEERS = {
  '@modelcontextprotocol/conformance': '0.1.16',
  '@modelcontextprotocol/inspector': '0.15.0',
  '@modelcontextprotocol/server-everything': '2026.8.31',
  node: '24',
};

const folder = join(root, '.tools', 'mcp-peers');
const wanted = JSON.stringify(PEERS);
const note = join(folder, 'installed.json');
if (!existsSync(note) || readFileSync(note, 'utf8') !== wanted) {
  mkdirSync(folder, { recursive: true });
  const packages = Object.entries(PEERS).map(([name, version]) => `${name}@${version}`);
  const { status } = spawnSync(
    'npm',
    ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...packages],
    { stdio: 'inherit' },
  );
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(note, wanted);
}
console.log(`MCP peers are in ${folder}`);
