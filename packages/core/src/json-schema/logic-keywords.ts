import { type Attempt, addIssues, attempt, type Check, type Run, report } from './check.js';
import { type KeywordSite, type KeywordTable, listArgument, stringArgument, unusableSchema } from './keyword.js';

function alternatives(argument: unknown, site: KeywordSite): readonly Check[] {
  const schemas = listArgument(argument, site);
  if (schemas.length === 0) throw unusableSchema(`${site.pointer}/${site.keyword}`, 'must not be empty.');
  return schemas.map((schema, index) => site.compile(schema, index));
}

/** Says that no alternative fits, and what is wrong with the one that was most likely meant. */
function reportClosest(attempts: readonly Attempt[], run: Run): void {
  report(run, `must fit one of ${attempts.length} alternatives`);
  const closest = attempts.reduce((best, next) => (next.cost < best.cost ? next : best));
  addIssues(run, closest.issues);
  run.cost += closest.cost;
}

/** Not only because a pattern was passed over. */
function fitsForSure({ issues, doubtful }: Attempt): boolean {
  return issues.length === 0 && !doubtful;
}

/** Keywords that put other schemas to the same value. */
export const LOGIC_KEYWORDS: KeywordTable = [
  ['$ref', (argument, site) => site.follow(stringArgument(argument, site))],
  [
    'allOf',
    (argument, site) => {
      const checks = alternatives(argument, site);
      return (value, run) => {
        for (const check of checks) check(value, run);
      };
    },
  ],
  [
    'anyOf',
    (argument, site) => {
      const checks = alternatives(argument, site);
      return (value, run) => {
        const attempts: Attempt[] = [];
        let fits = false;
        for (const check of checks) {
          const trial = attempt(check, value, run);
          fits ||= trial.issues.length === 0;
          // Others may look at more members, which only matters where someone asks.
          if (fits && run.evaluated === undefined) return;
          attempts.push(trial);
        }
        if (!fits) reportClosest(attempts, run);
      };
    },
  ],
  [
    'oneOf',
    (argument, site) => {
      const checks = alternatives(argument, site);
      return (value, run) => {
        const attempts = checks.map((check) => attempt(check, value, run));
        const fitting = attempts.filter((trial) => trial.issues.length === 0).length;
        if (fitting === 0) reportClosest(attempts, run);
        else if (attempts.filter(fitsForSure).length > 1)
          report(run, `must fit only one of ${checks.length} alternatives, fits ${fitting}`);
      };
    },
  ],
  [
    'not',
    (argument, site) => {
      const check = site.compile(argument);
      return (value, run) => {
        const { evaluated } = run;
        run.evaluated = undefined;
        const trial = attempt(check, value, run);
        run.evaluated = evaluated;
        if (fitsForSure(trial)) report(run, "must not fit the schema under 'not'");
      };
    },
  ],
  [
    'if',
    (argument, site) => {
      const condition = site.compile(argument);
      const [whenTrue, whenFalse] = [site.beside('then'), site.beside('else')];
      return (value, run) => {
        const trial = attempt(condition, value, run);
        const met = trial.issues.length === 0;
        if (met && trial.doubtful) {
          // Either may hold. What they look at counts all the same.
          for (const branch of [whenTrue, whenFalse]) if (branch !== undefined) attempt(branch, value, run);
          return;
        }
        (met ? whenTrue : whenFalse)?.(value, run);
      };
    },
  ],
];
