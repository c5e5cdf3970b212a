import type { EvaluationCase } from '@vernal/evaluation';

const SHOWN = 5;

/** A sentence when questions name sources that no document has, which nothing could find. Quotes ids and documents, not the file. */
export function unknownSources(
  cases: readonly EvaluationCase<string>[],
  sources: ReadonlySet<string> | undefined,
): readonly string[] {
  const [example] = sources ?? [];
  if (sources === undefined || example === undefined) return [];
  const ids = cases
    .filter(({ relevant = [] }) => namesOf(relevant).some((name) => !sources.has(name)))
    .map(({ id }) => id);
  if (ids.length === 0) return [];
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : '';
  const questions = `question${ids.length === 1 ? '' : 's'} ${ids.slice(0, SHOWN).join(', ')}${more}`;
  return [`Relevant sources of ${questions} are not among the documents: name them as answers do, as in ${example}`];
}

function namesOf(relevant: NonNullable<EvaluationCase<string>['relevant']>): readonly string[] {
  return Array.isArray(relevant) ? relevant : Object.keys(relevant);
}
