import { invalidArgument } from '@vernal/core';
import type { SqlStatement, SqlValue } from './sql-database.js';

/** A statement that was looked at: as many values as places for them, and each of a kind that drivers know. */
export interface BoundStatement {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Throws `invalid_argument` for what drivers would take for something else, or store as something else, and says where. */
export function boundStatements(statements: readonly SqlStatement[]): readonly BoundStatement[] {
  if (!Array.isArray(statements)) throw invalidArgument('statements', 'must be a list');
  return (statements as readonly SqlStatement[]).map((statement, index) => {
    const { text, values = [] } = Object(statement) as SqlStatement;
    const place = `statements[${index}]`;
    if (typeof text !== 'string' || text.trim() === '') throw invalidArgument(`${place}.text`, 'must be a statement');
    if (!Array.isArray(values)) throw invalidArgument(`${place}.values`, 'must be a list');
    const places = text.split('?').length - 1;
    if (places !== values.length)
      throw invalidArgument(
        `${place}.values`,
        `must be as many as there are question marks in the text: ${places}, not ${values.length}`,
      );
    for (const [at, value] of values.entries()) {
      const fault = faultOf(value);
      if (fault !== undefined) throw invalidArgument(`${place}.values[${at}]`, fault);
    }
    return { text, values };
  });
}

function faultOf(value: unknown): string | undefined {
  if (typeof value === 'string')
    return /\0|\p{Surrogate}/u.test(value)
      ? 'must not hold U+0000 or half a surrogate pair, which databases refuse or cut'
      : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'must be a finite number';
  if (value === null || value instanceof Uint8Array) return undefined;
  return 'must be a string, a number, a Uint8Array or null';
}

/** The text with what `name` gives for each `?`, counted from 0. */
export function withPlaces(text: string, name: (index: number) => string): string {
  let count = 0;
  return text.replaceAll('?', () => name(count++));
}
