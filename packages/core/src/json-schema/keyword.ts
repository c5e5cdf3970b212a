import { VernalError } from '../errors/vernal-error.js';
import { isRecord, type JsonRecord } from '../json/json-record.js';
import type { JsonSchema } from '../json/json-value.js';
import type { Check } from './check.js';

/** Where a keyword stands while its schema is compiled. */
export interface KeywordSite {
  readonly keyword: string;
  /** The schema that holds the keyword. */
  readonly schema: JsonSchema;
  /** JSON Pointer of that schema, for messages. */
  readonly pointer: string;
  readonly formats: boolean;
  /** False: patterns are passed over. */
  readonly patterns: boolean;
  /** Compiles a subschema that stands at `segments` below the keyword. */
  compile(subschema: unknown, ...segments: readonly (string | number)[]): Check;
  /** Compiles the schema under another keyword beside this one, if it is there. */
  beside(keyword: string): Check | undefined;
  /** Compiles what a `$ref` of this schema points to. */
  follow(reference: string): Check;
}

/** Compiles one keyword. Undefined: nothing to check. */
export type Keyword = (argument: unknown, site: KeywordSite) => Check | undefined;

export type KeywordTable = readonly (readonly [name: string, keyword: Keyword])[];

export function unusableSchema(pointer: string, fault: string, cause?: unknown): VernalError {
  return new VernalError(`The JSON Schema at ${pointer} ${fault}`, {
    code: 'invalid_argument',
    subject: 'schema',
    details: { pointer },
    cause,
  });
}

function wrong(site: KeywordSite, needed: string): VernalError {
  return unusableSchema(`${site.pointer}/${site.keyword}`, `must be ${needed}.`);
}

export function numberArgument(argument: unknown, site: KeywordSite): number {
  if (typeof argument !== 'number' || !Number.isFinite(argument)) throw wrong(site, 'a number');
  return argument;
}

export function countArgument(argument: unknown, site: KeywordSite): number {
  if (typeof argument !== 'number' || !Number.isInteger(argument) || argument < 0) throw wrong(site, 'an integer >= 0');
  return argument;
}

export function stringArgument(argument: unknown, site: KeywordSite): string {
  if (typeof argument !== 'string') throw wrong(site, 'a string');
  return argument;
}

export function listArgument(argument: unknown, site: KeywordSite): readonly unknown[] {
  if (!Array.isArray(argument)) throw wrong(site, 'an array');
  return argument;
}

export function namesArgument(argument: unknown, site: KeywordSite): readonly string[] {
  if (!Array.isArray(argument) || !argument.every((name) => typeof name === 'string'))
    throw wrong(site, 'an array of strings');
  return argument;
}

export function recordArgument(argument: unknown, site: KeywordSite): JsonRecord {
  if (!isRecord(argument)) throw wrong(site, 'an object');
  return argument;
}

/** Unicode mode, as JSON Schema recommends and other validators do. */
export function patternArgument(pattern: string, site: KeywordSite): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (cause) {
    throw unusableSchema(
      `${site.pointer}/${site.keyword}`,
      'holds a pattern that is not a regular expression in unicode mode. Escape only what needs it.',
      cause,
    );
  }
}
