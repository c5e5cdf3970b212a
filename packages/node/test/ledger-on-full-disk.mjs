// Puts entries until two could not be written; then, with the limit lifted, some more. Says what was written.
import { execFileSync } from 'node:child_process';
import { FileIngestLedger } from '@vernal/node';

const ledger = new FileIngestLedger(process.argv[2]);
const written = [];
const failed = [];
async function put(source) {
  const current = { version: 'v'.repeat(100), count: 1 };
  await ledger.put({ source, current, stale: [] }, undefined).then(
    () => written.push(source),
    (error) => failed.push(error.code),
  );
}
for (let at = 0; failed.length < 2; at++) await put(`before ${at}`);
execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited']);
for (const source of ['after 0', 'after 1']) await put(source);
await ledger.close();
process.stdout.write(JSON.stringify({ written, failed }));
