// Why a test run ended without a report of its tests: Node.js writes down where it was when something native failed.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pnpm.mjs';

const folder = join(root, '.vernal', 'fatal');
/** What CI prints once more at its end, where nothing that follows can hide it. */
export const told = join(root, '.vernal', 'fatal.txt');

/** The environment of a run that is to leave such a report. */
export function withFatalReport(environment) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const options = `${environment.NODE_OPTIONS ?? ''} --report-on-fatalerror --report-directory=${folder} --report-compact`;
  return { ...environment, NODE_OPTIONS: options.trim() };
}

/** Tells how the run ended, if it ended otherwise than by its own report. */
export function tellFatal(title, { status, signal }, results) {
  if (status === 0 || existsSync(results)) return;
  const lines = [`${title} ended without a report of its tests: ${signal ?? `exit code ${status}`}`];
  for (const file of readdirSync(folder)) {
    const { header, javascriptStack, nativeStack = [] } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    lines.push(`${header.event} (${header.trigger})`);
    lines.push(...[javascriptStack?.message, ...(javascriptStack?.stack ?? [])].filter(Boolean));
    lines.push(...nativeStack.slice(0, 25).map(({ symbol }) => symbol));
  }
  const text = `${lines.join('\n')}\n`;
  process.stderr.write(text);
  appendFileSync(told, text);
}
