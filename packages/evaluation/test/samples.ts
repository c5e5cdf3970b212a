import type { Document } from '@vernal/core';
import { document } from '@vernal/core';
import type { EvaluationRequest } from '@vernal/evaluation';
import { expect } from 'vitest';

export const leave: Document = document({ id: 'leave', text: 'Every employee has 31 days of paid leave a year.' });
export const lunch: Document = document({ id: 'lunch', text: 'Lunch is served at noon.' });

/** A right answer to a question about leave. */
export const request: EvaluationRequest = {
  userText: 'How many days of leave do I have?',
  documents: [leave, lunch],
  response: 'You have 31 days.',
  reference: 'Employees have 31 days of leave a year.',
};

/** An error with a code. */
export const coded = (code: string, subject?: string): unknown =>
  expect.objectContaining(subject === undefined ? { code } : { code, subject });
