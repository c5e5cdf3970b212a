// What a conformance suite found, kept as JSON for the tables of scripts/support-matrix.mjs. Nothing without VERNAL_REPORTS.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function keepReport(report) {
  const folder = process.env.VERNAL_REPORTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  const name = `${report.suite} ${report.subject}`.replaceAll(/[^\w]+/g, '-');
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(report));
}
