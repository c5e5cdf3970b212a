import { partIds } from '@vernal/core/adapter';
import { describe, expect, it } from 'vitest';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('partIds', () => {
  const ids = async (text: string, about: Record<string, string>): Promise<string[]> => {
    const idOf = await partIds(new TextEncoder().encode(text), about);
    return [0, 1, 300].map(idOf);
  };

  it('are UUIDs that are the same each time and different for each part', async () => {
    const first = await ids('page', { source: 'a.md', lang: 'en' });
    expect(await ids('page', { lang: 'en', source: 'a.md' })).toEqual(first);
    expect(new Set(first).size).toBe(3);
    for (const id of first) expect(id).toMatch(UUID);
  });

  it('differ by the bytes and by what is told about them', async () => {
    const about = { source: 'a.md' };
    const all = [await ids('page', about), await ids('pagf', about), await ids('page', { source: 'b.md' })].flat();
    expect(new Set(all).size).toBe(9);
  });
});
