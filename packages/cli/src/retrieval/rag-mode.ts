import { usageError } from '../usage-error.js';

/** 'simple' searches once; 'advanced' rewrites, searches by meaning and by words, and orders what was found. */
export type RagMode = 'simple' | 'advanced';

/** The value of `--rag`; undefined when it was not given. */
export function ragMode(text: string | undefined): RagMode | undefined {
  if (text === undefined || text === 'simple' || text === 'advanced') return text;
  throw usageError(`There is no --rag ${text}: write --rag simple or --rag advanced`, 'rag');
}
