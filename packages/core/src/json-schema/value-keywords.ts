import { jsonEquals } from '../json/json-equals.js';
import { isRecord } from '../json/json-record.js';
import { report, WRONG_KIND } from './check.js';
import { FORMATS } from './formats.js';
import {
  countArgument,
  type KeywordTable,
  listArgument,
  namesArgument,
  numberArgument,
  patternArgument,
  stringArgument,
  unusableSchema,
} from './keyword.js';
import { isMultipleOf } from './multiple-of.js';

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isRecord,
};

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number that is not finite';
  return typeof value;
}

/** Code points; a UTF-16 length is never smaller. */
function length(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Constants of the schema, cut where a long list would drown the message. */
function shown(values: readonly unknown[]): string {
  const text = values.map((value) => JSON.stringify(value)).join(', ');
  return text.length > 300 ? `${text.slice(0, 300)} …` : text;
}

/** `fits` for numbers, everything else passes. */
function numeric(fits: (value: number, limit: number) => boolean, words: string): KeywordTable[number][1] {
  return (argument, site) => {
    const limit = numberArgument(argument, site);
    return (value, run) => {
      if (typeof value === 'number' && !fits(value, limit)) report(run, `${words} ${limit}`);
    };
  };
}

/** Keywords about a value itself: kind, constants, numbers, strings. */
export const VALUE_KEYWORDS: KeywordTable = [
  [
    'type',
    (argument, site) => {
      const names = typeof argument === 'string' ? [argument] : namesArgument(argument, site);
      const tests = names.map((name) => {
        const test = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
        if (test === undefined) throw unusableSchema(`${site.pointer}/type`, `names an unknown type '${name}'.`);
        return test;
      });
      const expected = names.join(' or ');
      return (value, run) => {
        for (const test of tests) if (test(value)) return;
        const got = typeof value === 'number' && names.includes('integer') ? 'another number' : typeName(value);
        report(run, `must be ${expected}, got ${got}`, undefined, WRONG_KIND);
      };
    },
  ],
  [
    'const',
    (argument) => (value, run) => {
      if (!jsonEquals(value, argument)) report(run, `must be ${shown([argument])}`, undefined, WRONG_KIND);
    },
  ],
  [
    'enum',
    (argument, site) => {
      const values = listArgument(argument, site);
      const scalars = new Set(values.filter((value) => typeof value !== 'object' || value === null));
      const composites = values.filter((value) => typeof value === 'object' && value !== null);
      return (value, run) => {
        if (scalars.has(value) || composites.some((candidate) => jsonEquals(value, candidate))) return;
        report(run, `must be one of ${shown(values)}`, undefined, WRONG_KIND);
      };
    },
  ],
  ['minimum', numeric((value, limit) => value >= limit, 'must be >=')],
  ['maximum', numeric((value, limit) => value <= limit, 'must be <=')],
  ['exclusiveMinimum', numeric((value, limit) => value > limit, 'must be >')],
  ['exclusiveMaximum', numeric((value, limit) => value < limit, 'must be <')],
  [
    'multipleOf',
    (argument, site) => {
      const factor = numberArgument(argument, site);
      if (factor <= 0) throw unusableSchema(`${site.pointer}/multipleOf`, 'must be > 0.');
      return (value, run) => {
        if (typeof value === 'number' && !(Number.isFinite(value) && isMultipleOf(value, factor)))
          report(run, `must be a multiple of ${factor}`);
      };
    },
  ],
  [
    'minLength',
    (argument, site) => {
      const limit = countArgument(argument, site);
      return (value, run) => {
        if (typeof value === 'string' && (value.length < limit || length(value) < limit))
          report(run, `must have at least ${limit} characters`);
      };
    },
  ],
  [
    'maxLength',
    (argument, site) => {
      const limit = countArgument(argument, site);
      return (value, run) => {
        if (typeof value === 'string' && value.length > limit && length(value) > limit)
          report(run, `must have at most ${limit} characters`);
      };
    },
  ],
  [
    'pattern',
    (argument, site) => {
      const source = stringArgument(argument, site);
      if (!site.patterns) {
        return (value, run) => {
          if (typeof value === 'string') run.doubtful = true;
        };
      }
      const pattern = patternArgument(source, site);
      return (value, run) => {
        if (typeof value === 'string' && !pattern.test(value)) report(run, `must match the pattern ${source}`);
      };
    },
  ],
  [
    'format',
    (argument, site) => {
      const name = stringArgument(argument, site);
      const fits = site.formats ? FORMATS.get(name) : undefined;
      if (fits === undefined) return undefined;
      return (value, run) => {
        if (typeof value === 'string' && !fits(value)) report(run, `must be a valid ${name}`);
      };
    },
  ],
];
