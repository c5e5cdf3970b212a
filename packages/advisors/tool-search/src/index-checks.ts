import { invalidArgument } from '@vernal/core';
import type { ToolIndexQuery } from './tool-index.js';

export function requireCount(value: unknown, subject: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  throw invalidArgument(subject, 'must be a whole number of at least 1');
}

export function requireText(value: unknown, subject: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw invalidArgument(subject, 'must be text that is not blank');
}

export function requireQuery({ session, query, maxResults }: ToolIndexQuery): void {
  requireText(session, 'session');
  requireText(query, 'query');
  requireCount(maxResults, 'maxResults');
}
