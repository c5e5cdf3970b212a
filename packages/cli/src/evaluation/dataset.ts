import type { EvaluationCase, Relevance } from '@vernal/evaluation';
import { usageError } from '../usage-error.js';
import { namedText, parsedJson } from './named-text.js';

/** The cases of a file: a JSON list, or JSON Lines. What is wrong is named by its place and never quoted. */
export async function readDataset(path: string, cwd: string, signal: AbortSignal): Promise<EvaluationCase<string>[]> {
  const text = await namedText(path, cwd, signal);
  const entries = text.trimStart().startsWith('[') ? list(path, text) : lines(path, text);
  if (entries.length === 0) throw usageError(`${path} holds no question: write some into it`, 'dataset');
  const places = new Map<string, string>();
  return entries.map(({ value, place }, index) => {
    const one = caseOf(value, String(index + 1), `${path}, ${place}`);
    const before = places.get(one.id);
    if (before !== undefined) {
      throw usageError(`${path}, ${place}: its id is that of ${before} too: give each question its own`, 'id');
    }
    places.set(one.id, place);
    return one;
  });
}

interface Entry {
  readonly value: unknown;
  /** 'entry 3', 'line 3' */
  readonly place: string;
}

function list(path: string, text: string): Entry[] {
  const values = parsedJson(text);
  if (!Array.isArray(values)) throw usageError(`${path} is no valid JSON: correct it`, 'dataset');
  return values.map((value, index) => ({ value, place: `entry ${index + 1}` }));
}

function lines(path: string, text: string): Entry[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const [value, place] = [parsedJson(line), `line ${index + 1}`];
    if (value !== undefined) return { value, place };
    throw usageError(`${path}, ${place} is no valid JSON: write a list, or one object a line`, 'dataset');
  });
}

/** Without an id of its own it has the number of its place. */
function caseOf(value: unknown, number: string, place: string): EvaluationCase<string> {
  const { id = number, question, reference, relevant } = isRecord(value) ? value : {};
  if (!isText(question)) throw usageError(`${place} has no question: every object needs one`, 'question');
  if (!isText(id) && typeof id !== 'number') throw usageError(`${place}: id has to be a text that is not blank`, 'id');
  if (reference !== undefined && !isText(reference)) {
    throw usageError(`${place}: reference has to be a text that is not blank`, 'reference');
  }
  if (relevant !== undefined && !isRelevance(relevant)) {
    throw usageError(`${place}: relevant has to be a list of sources, or an object with a grade for each`, 'relevant');
  }
  return { id: String(id), input: question, reference, relevant };
}

function isRelevance(value: unknown): value is Relevance {
  if (Array.isArray(value)) return value.length > 0 && value.every(isText);
  if (!isRecord(value)) return false;
  const grades = Object.values(value);
  return grades.every((grade) => Number.isFinite(grade) && Number(grade) >= 0) && grades.some((grade) => grade !== 0);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
