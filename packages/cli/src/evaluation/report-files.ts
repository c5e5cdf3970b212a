import { access, constants, readFile, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { type EvaluationRun, readRun } from '@vernal/evaluation';
import { fileResource } from '@vernal/node';
import { usageError } from '../usage-error.js';
import { namedText, parsedJson } from './named-text.js';

/** In the head of every page that a report is. */
const OURS = '<meta name="generator" content="Vernal">';

/** Where a run goes, by `--out NAME`, with or without one of the endings. */
export interface ReportNames {
  /** The last part of the name, for the report itself. */
  readonly title: string;
  readonly json: string;
  readonly html: string;
}

export function reportNames(out: string): ReportNames {
  const name = out.replace(/\.(?:json|html)$/, '');
  const title = basename(name);
  if (/[/\\]$/.test(name) || /^\.{0,2}$/.test(title)) {
    throw usageError(`--out ${out}: that is a folder; write the name of a file in it`, 'out');
  }
  return { title, json: `${name}.json`, html: `${name}.html` };
}

/** A report may take the place of an older one, and of nothing else. Asked before a run that costs something. */
export async function requireReportPlace(path: string, cwd: string): Promise<void> {
  const folder = dirname(resolve(cwd, path));
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
    throw usageError(`There is no folder for ${path}: make it first, or name another place with --out`, 'out');
  }
  const text = await readFile(resolve(cwd, path), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return undefined;
    throw usageError(`${path} cannot be written: check the path`, 'out');
  });
  if (text === undefined) {
    await access(folder, constants.W_OK).catch(() => {
      throw usageError(`${path} cannot be written: check the permissions of its folder`, 'out');
    });
  } else if (!(path.endsWith('.json') ? isRun(text) : text.slice(0, 1_000).includes(OURS))) {
    throw usageError(`${path} is there and is no report: choose another name with --out`, 'out');
  }
}

/** Written aside and then renamed. */
export async function writeReport(path: string, cwd: string, text: string): Promise<void> {
  await fileResource(resolve(cwd, path)).write(new TextEncoder().encode(text));
}

/** A run that was written before. */
export async function readReport(path: string, cwd: string, signal: AbortSignal): Promise<EvaluationRun> {
  const value = parsedJson(await namedText(path, cwd, signal));
  try {
    return readRun(value);
  } catch {
    throw usageError(`${path} is no report of this version: 'vernal eval' with --out writes one`, 'path');
  }
}

function isRun(text: string): boolean {
  try {
    readRun(parsedJson(text));
    return true;
  } catch {
    return false;
  }
}
