import { isRecord, type JsonRecord } from '../json/json-record.js';
import { ARRAY_KEYWORDS, UNEVALUATED_ITEMS } from './array-keywords.js';
import { addEvaluated, type Check, newEvaluated, report, spend } from './check.js';
import { type KeywordSite, type KeywordTable, unusableSchema } from './keyword.js';
import { LOGIC_KEYWORDS } from './logic-keywords.js';
import { OBJECT_KEYWORDS, UNEVALUATED_PROPERTIES } from './object-keywords.js';
import { ROOT_BASE, schemaReferences } from './schema-references.js';
import { schemaSteps, valueSteps } from './steps.js';
import { VALUE_KEYWORDS } from './value-keywords.js';

/** The last two see what all others have looked at. */
const KEYWORDS: KeywordTable = [
  ...VALUE_KEYWORDS,
  ...OBJECT_KEYWORDS,
  ...ARRAY_KEYWORDS,
  ...LOGIC_KEYWORDS,
  ['unevaluatedProperties', UNEVALUATED_PROPERTIES],
  ['unevaluatedItems', UNEVALUATED_ITEMS],
];

/** Keywords whose meaning would be lost in silence. */
const UNSUPPORTED = ['$dynamicRef', '$recursiveRef'];

const MAX_SCHEMA_DEPTH = 200;
const MAX_VALUE_DEPTH = 800;
const MAX_IN_PLACE = 200;

/**
 * Compiles a schema into nested closures, each subschema once, so that recursion through `$ref` ends.
 * Throws `invalid_argument` for a schema that cannot be used.
 */
export function compileSchema(root: unknown, formats: boolean, patterns: boolean): Check {
  const references = schemaReferences(root);
  const compiled = new Map<object, Check>();

  /** `base` is the schema's own: what its references are relative to. */
  function compile(schema: unknown, base: string, pointer: string, depth: number): Check {
    if (schema === true) return () => {};
    if (schema === false) return (_, run) => report(run, 'is not allowed here');
    if (!isRecord(schema)) throw unusableSchema(pointer, 'must be an object or a boolean.');
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    if (depth > MAX_SCHEMA_DEPTH) throw unusableSchema(pointer, `is nested deeper than ${MAX_SCHEMA_DEPTH} levels.`);
    const checks: Check[] = [];
    const check = guarded(checks, schema, pointer);
    compiled.set(schema, check);
    const below = (subschema: unknown, place: string): Check =>
      compile(subschema, references.baseOf(subschema, base), place, depth + 1);
    for (const name of UNSUPPORTED)
      if (Object.hasOwn(schema, name)) throw unusableSchema(`${pointer}/${name}`, 'is not supported. Use $ref.');
    for (const [keyword, factory] of KEYWORDS) {
      const argument = schema[keyword];
      if (argument === undefined || !Object.hasOwn(schema, keyword)) continue;
      const site: KeywordSite = {
        keyword,
        schema,
        pointer,
        formats,
        patterns,
        compile: (subschema, ...segments) => below(subschema, [pointer, keyword, ...segments].join('/')),
        beside(other) {
          const subschema = schema[other];
          return subschema === undefined ? undefined : below(subschema, `${pointer}/${other}`);
        },
        follow(reference) {
          const target = references.resolve(reference, base, pointer);
          return compile(target.schema, target.base, `${pointer}/$ref`, depth + 1);
        },
      };
      const part = factory(argument, site);
      if (part !== undefined) checks.push(part);
    }
    return check;
  }

  return compile(root, references.baseOf(root, ROOT_BASE), '#', 0);
}

/** Runs the checks of one schema; holds the depth guards, and gathers what was looked at for the two keywords that ask. */
function guarded(checks: readonly Check[], schema: JsonRecord, pointer: string): Check {
  const asks = schema['unevaluatedProperties'] !== undefined || schema['unevaluatedItems'] !== undefined;
  const steps = schemaSteps(schema);
  return (value, run) => {
    if (run.inPlace > MAX_IN_PLACE)
      throw unusableSchema(pointer, 'refers to itself without going deeper into the value.');
    if (run.depth > MAX_VALUE_DEPTH)
      run.givenUp ??= { message: 'is nested too deep to be checked', path: [...run.path] };
    // Nobody counts where there is no limit.
    if (run.steps !== Number.POSITIVE_INFINITY) spend(run, steps + valueSteps(value));
    if (run.givenUp !== undefined) return;
    run.depth++;
    run.inPlace++;
    const outer = run.evaluated;
    const own = asks ? newEvaluated() : outer;
    run.evaluated = own;
    for (const check of checks) check(value, run);
    if (own !== undefined && outer !== undefined && own !== outer) addEvaluated(outer, own);
    run.evaluated = outer;
    run.depth--;
    run.inPlace--;
  };
}
