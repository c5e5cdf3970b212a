import { invalidArgument } from '@vernal/core';

/**
 * What is relevant to a question: keys, each with the grade 1, or grades by key. A grade is a number of at least 0; 0 is not relevant. Keys are
 * whatever a ranking is made of: ids of documents, names of files.
 */
export type Relevance = readonly string[] | Readonly<Record<string, number>>;

/** Grades above 0, by key. Throws `invalid_argument` when nothing is relevant: every metric would be of nothing. */
export function gradesOf(relevant: Relevance): ReadonlyMap<string, number> {
  const isList = (value: Relevance): value is readonly string[] => Array.isArray(value);
  if (typeof relevant !== 'object' || relevant === null) {
    throw invalidArgument('relevant', 'must be a list of keys, or an object with a grade for each');
  }
  const entries = isList(relevant) ? relevant.map((key) => [key, 1] as const) : Object.entries(relevant);
  if (entries.some(([key, grade]) => typeof key !== 'string' || !Number.isFinite(grade) || grade < 0)) {
    throw invalidArgument('relevant', 'keys must be texts, and grades numbers of at least 0');
  }
  const grades = new Map(entries.filter(([, grade]) => grade > 0));
  if (grades.size === 0) throw invalidArgument('relevant', 'must name at least one relevant key');
  return grades;
}
