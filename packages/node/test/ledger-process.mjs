// Holds a ledger until it is killed: puts one entry after the other and says so.
import { FileIngestLedger } from '@vernal/node';

const ledger = new FileIngestLedger(process.argv[2]);
for (let at = 0; ; at++) {
  await ledger.put({ source: `source ${at}`, current: { version: 'v', count: at }, stale: [] }, undefined);
  process.stdout.write(`${at}\n`);
}
