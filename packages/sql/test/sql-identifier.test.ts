import { type SqlDialect, sqlIdentifier } from '@vernal/sql';
import { describe, expect, it } from 'vitest';

describe('sqlIdentifier', () => {
  it.each([
    ['postgres', 'a"b', '"a""b"'],
    ['sqlite', 'a"b', '"a""b"'],
    ['mysql', 'a`b"', '`a``b"`'],
    ['sqlserver', 'a]b[', '[a]]b[]'],
    ['oracle', 'a`b]', '"a`b]"'],
    ['postgres', 'ä'.repeat(31), `"${'ä'.repeat(31)}"`],
    ['mysql', 'ä'.repeat(64), `\`${'ä'.repeat(64)}\``],
    ['sqlserver', 'ä'.repeat(128), `[${'ä'.repeat(128)}]`],
    ['oracle', 'ä'.repeat(64), `"${'ä'.repeat(64)}"`],
    ['sqlite', 'x'.repeat(1_000), `"${'x'.repeat(1_000)}"`],
  ] as const)('quotes for %s', (dialect, name, quoted) => {
    expect(sqlIdentifier(dialect, name, 'table')).toBe(quoted);
  });

  it.each([
    ['sqlite', ''],
    ['postgres', 'a\0'],
    ['postgres', 'ä'.repeat(32)],
    ['sqlite', 'SQLITE_x'],
    ['sqlite', '\ud800'],
    ['mysql', 'x'.repeat(65)],
    ['mysql', 'ends with a space '],
    ['mysql', '😀'],
    ['sqlserver', 'x'.repeat(129)],
    ['oracle', 'ä'.repeat(65)],
    ['oracle', 'a"b'],
    ['oracle', 7],
  ] as const)('refuses for %s what it cannot keep: %j', (dialect, name) => {
    expect(() => sqlIdentifier(dialect as SqlDialect, name as string, 'table')).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject: 'table' }),
    );
  });
});
