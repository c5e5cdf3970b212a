import { readFileSync } from 'node:fs';
import type { Metadata } from '@vernal/core';
import type { FilterExpression, FilterNode } from '@vernal/vector-store';
import { compileFilter, evaluateFilter, FilterParseError, parseFilter, printFilter } from '@vernal/vector-store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsOperator, sampleFilters, sampleMetadata } from './filter-samples.js';
import { secondEvaluator } from './second-evaluator.js';

const page = readFileSync(new URL('../../../../docs/filter-language.md', import.meta.url), 'utf8');

/** Cells of all tables with this head, out of their backticks. */
function rows(...head: readonly string[]): string[][] {
  const tables = page.split(`| ${head.join(' | ')} |\n`).slice(1);
  const lines = tables.flatMap((table) => table.split('\n\n', 1)[0]?.split('\n').slice(1) ?? []);
  return lines.map((line) =>
    line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.replace(/^`(.*)`$/, '$1').replaceAll('\\|', '|')),
  );
}

function withoutGroups(node: FilterNode): FilterNode {
  if ('group' in node) return withoutGroups(node.group);
  if (node.type === 'NOT') return { type: node.type, left: withoutGroups(node.left) };
  if (node.type !== 'AND' && node.type !== 'OR') return node;
  return { type: node.type, left: withoutGroups(node.left), right: withoutGroups(node.right) };
}

const examples = rows('filter', 'metadata', 'matches').map(([text = '', metadata = '', matches = '']) => ({
  text,
  metadata,
  matches,
}));

describe('the page on the filter language', () => {
  it('has rules that are numbered without a gap, and examples of both answers', () => {
    const numbers = Array.from(page.matchAll(/^(\d+)\. /gm), ([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => index + 1));
    expect(numbers.length).toBeGreaterThan(20);
    expect(examples.filter(({ matches }) => matches === 'yes').length).toBeGreaterThan(30);
    expect(examples.filter(({ matches }) => matches === 'no').length).toBeGreaterThan(30);
  });

  it.each(examples)('$text of $metadata: $matches', ({ text, metadata, matches }) => {
    const document: Metadata = JSON.parse(metadata);
    const tree = parseFilter(text);
    expect(evaluateFilter(tree, document)).toBe(matches === 'yes');
    expect(secondEvaluator(tree, document)).toBe(matches === 'yes');
  });

  it.each(rows('written', 'read as'))('%s is %s', (written, read) => {
    expect(withoutGroups(parseFilter(written))).toEqual(withoutGroups(parseFilter(read)));
  });

  it.each(rows('text', 'column', 'why'))('%s is refused at column %s: %s', (text, column) => {
    expect(() => parseFilter(text)).toThrow(FilterParseError);
    expect(() => parseFilter(text)).toThrow(expect.objectContaining({ line: 1, column: Number(column) }));
  });
});

describe('an evaluator that was written from the page alone', () => {
  it('agrees with evaluateFilter, for trees and for their text', () => {
    const seen = { trees: 0, not: 0, matches: 0, missing: 0, withNull: 0, mixed: 0 };
    fc.assert(
      fc.property(sampleFilters, fc.array(sampleMetadata, { minLength: 4, maxLength: 4 }), (tree, documents) => {
        seen.trees++;
        if (holdsOperator(tree, 'NOT')) seen.not++;
        const test = compileFilter(parseFilter(printFilter(tree)));
        for (const metadata of documents) {
          const expected = secondEvaluator(tree, metadata);
          if (expected) seen.matches++;
          count(seen, metadata);
          const found = [evaluateFilter(tree, metadata), test(metadata)];
          if (found.some((one) => one !== expected))
            expect.fail(`${printFilter(tree)} of ${JSON.stringify(metadata)}: ${found.join()}, not ${expected}`);
        }
      }),
      { numRuns: 3_000 },
    );
    const documents = seen.trees * 4;
    expect(seen.not / seen.trees).toBeGreaterThan(1 / 3);
    expect(seen.matches / documents).toBeGreaterThan(1 / 5);
    expect(seen.matches / documents).toBeLessThan(4 / 5);
    for (const some of [seen.missing, seen.withNull, seen.mixed]) expect(some / documents).toBeGreaterThan(1 / 10);
  });

  it('tells a wrong rule from a right one', () => {
    // What an evaluator gets wrong that takes NOT for the opposite of everything.
    const wrong = (tree: FilterExpression, metadata: Metadata): boolean =>
      tree.type === 'NOT' && !('group' in tree.left) ? !wrong(tree.left, metadata) : secondEvaluator(tree, metadata);
    const agrees = fc.property(
      sampleFilters,
      sampleMetadata,
      (tree, metadata) => wrong(tree, metadata) === evaluateFilter(tree, metadata),
    );
    expect(fc.check(agrees, { numRuns: 3_000 }).failed).toBe(true);
  });
});

function count(seen: { missing: number; withNull: number; mixed: number }, metadata: Metadata): void {
  if (!Object.hasOwn(metadata, 'a')) seen.missing++;
  const values = Object.values(metadata);
  if (values.includes(null)) seen.withNull++;
  if (new Set(values.map((value) => typeof value)).size > 1) seen.mixed++;
}
