import { hasMember, isRecord, type JsonRecord, memberNames } from '../json/json-record.js';
import { type Check, descend, type Run, report } from './check.js';
import { countArgument, type KeywordTable, namesArgument, patternArgument, recordArgument } from './keyword.js';

function onObject(check: (value: JsonRecord, run: Run) => void): Check {
  return (value, run) => {
    if (isRecord(value)) check(value, run);
  };
}

function requireMembers(names: readonly string[], value: JsonRecord, run: Run, because = ''): void {
  for (const name of names) if (!hasMember(value, name)) report(run, `is missing${because}`, name);
}

/** A check for the members that no other keyword of its kind has taken. */
function remaining(check: Check, schema: unknown, key: string, value: JsonRecord, run: Run): void {
  if (schema === false) report(run, 'is not allowed here', key);
  else descend(check, value[key], key, run);
  run.evaluated?.keys.add(key);
}

/** Keywords about objects. `unevaluatedProperties` stands apart: it runs after all others. */
export const OBJECT_KEYWORDS: KeywordTable = [
  [
    'required',
    (argument, site) => {
      const names = namesArgument(argument, site);
      return onObject((value, run) => requireMembers(names, value, run));
    },
  ],
  [
    'properties',
    (argument, site) => {
      const checks = Object.entries(recordArgument(argument, site)).map(
        ([name, schema]) => [name, site.compile(schema, name)] as const,
      );
      return onObject((value, run) => {
        for (const [name, check] of checks) {
          if (!hasMember(value, name)) continue;
          run.evaluated?.keys.add(name);
          descend(check, value[name], name, run);
        }
      });
    },
  ],
  [
    'patternProperties',
    (argument, site) => {
      if (!site.patterns) {
        return onObject((value, run) => {
          run.doubtful = true;
          for (const key of memberNames(value)) run.evaluated?.keys.add(key);
        });
      }
      const checks = Object.entries(recordArgument(argument, site)).map(
        ([source, schema]) => [patternArgument(source, site), site.compile(schema, source)] as const,
      );
      return onObject((value, run) => {
        for (const key of memberNames(value)) {
          for (const [pattern, check] of checks) {
            if (!pattern.test(key)) continue;
            run.evaluated?.keys.add(key);
            descend(check, value[key], key, run);
          }
        }
      });
    },
  ],
  [
    'additionalProperties',
    (argument, site) => {
      const { properties, patternProperties } = site.schema;
      // Which members are left over, only the patterns know.
      if (!site.patterns && patternProperties !== undefined) return undefined;
      const check = site.compile(argument);
      const named = isRecord(properties) ? properties : {};
      const patterns = Object.keys(isRecord(patternProperties) ? patternProperties : {}).map((source) =>
        patternArgument(source, site),
      );
      return onObject((value, run) => {
        for (const key of memberNames(value)) {
          if (Object.hasOwn(named, key) || patterns.some((pattern) => pattern.test(key))) continue;
          remaining(check, argument, key, value, run);
        }
      });
    },
  ],
  [
    'propertyNames',
    (argument, site) => {
      const check = site.compile(argument);
      return onObject((value, run) => {
        for (const key of memberNames(value)) descend(check, key, key, run);
      });
    },
  ],
  [
    'minProperties',
    (argument, site) => {
      const limit = countArgument(argument, site);
      return onObject((value, run) => {
        if (memberNames(value).length < limit) report(run, `must have at least ${limit} properties`);
      });
    },
  ],
  [
    'maxProperties',
    (argument, site) => {
      const limit = countArgument(argument, site);
      return onObject((value, run) => {
        if (memberNames(value).length > limit) report(run, `must have at most ${limit} properties`);
      });
    },
  ],
  [
    'dependentRequired',
    (argument, site) => {
      const dependencies = Object.entries(recordArgument(argument, site)).map(
        ([name, names]) => [name, namesArgument(names, site)] as const,
      );
      return onObject((value, run) => {
        for (const [name, names] of dependencies)
          if (hasMember(value, name)) requireMembers(names, value, run, `, needed beside ${name}`);
      });
    },
  ],
  [
    'dependentSchemas',
    (argument, site) => {
      const checks = Object.entries(recordArgument(argument, site)).map(
        ([name, schema]) => [name, site.compile(schema, name)] as const,
      );
      return onObject((value, run) => {
        for (const [name, check] of checks) if (hasMember(value, name)) check(value, run);
      });
    },
  ],
  [
    // Older drafts: both kinds of dependency under one keyword.
    'dependencies',
    (argument, site) => {
      const checks = Object.entries(recordArgument(argument, site)).map(([name, needed]): readonly [string, Check] => {
        if (!Array.isArray(needed)) return [name, site.compile(needed, name)];
        const names = namesArgument(needed, site);
        return [name, onObject((value, run) => requireMembers(names, value, run, `, needed beside ${name}`))];
      });
      return onObject((value, run) => {
        for (const [name, check] of checks) if (hasMember(value, name)) check(value, run);
      });
    },
  ],
];

export const UNEVALUATED_PROPERTIES: KeywordTable[number][1] = (argument, site) => {
  const check = site.compile(argument);
  return onObject((value, run) => {
    for (const key of memberNames(value)) {
      if (run.evaluated?.keys.has(key) !== true) remaining(check, argument, key, value, run);
    }
  });
};
