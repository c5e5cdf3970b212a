import { compareRuns, htmlReport, textComparison } from '@vernal/evaluation';
import type { CommandArguments } from '../arguments.js';
import type { CliIo } from '../cli-io.js';
import { readReport, requireReportPlace, writeReport } from '../evaluation/report-files.js';
import { printable, writeLine } from '../output/write-line.js';
import { usageError } from '../usage-error.js';

/** Options of `vernal eval` that ask for an evaluation. */
const OF_A_RUN = ['docs', 'store', 'rag', 'evaluators', 'judge', 'min-score', 'prices', 'concurrency'];

/** `vernal eval compare`: what changed between two reports. */
export async function compareSets(given: CommandArguments, io: CliIo, signal: AbortSignal): Promise<number> {
  const [, beforePath, afterPath, ...more] = given.positionals;
  if (beforePath === undefined || afterPath === undefined || more.length > 0) {
    throw usageError("Two reports are compared: write 'vernal eval compare BEFORE.json AFTER.json'", 'path');
  }
  const stray = OF_A_RUN.find((option) => given.values(option).length > 0);
  if (stray !== undefined) throw usageError(`vernal eval compare has no --${stray}: it asks nothing`, stray);
  const out = given.values('out').at(-1);
  if (out !== undefined) {
    if (!out.endsWith('.html')) throw usageError(`--out ${out}: a comparison is written as .html`, 'out');
    await requireReportPlace(out, io.cwd);
  }
  const before = await readReport(beforePath, io.cwd, signal);
  const after = await readReport(afterPath, io.cwd, signal);
  const comparison = compareRuns(before, after);
  if (out !== undefined) {
    await writeReport(out, io.cwd, htmlReport(after, { comparison, contents: given.flag('contents') }));
  }
  if (given.json) writeLine(io.stdout, { type: 'compared', ...comparison });
  else {
    writeLine(io.stdout, textComparison(comparison));
    if (out !== undefined) writeLine(io.stderr, printable(`Wrote ${out}`));
  }
  return 0;
}
