import { KeywordToolIndex, type ToolReference } from '@vernal/advisors-tool-search';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

function reference(name: string, description = '', more: Partial<ToolReference> = {}): ToolReference {
  return { name, description, parameters: [], categories: [], ...more };
}

async function found(tools: readonly ToolReference[], query: string, maxResults = 10): Promise<string[]> {
  const index = new KeywordToolIndex();
  await index.index('s', tools);
  return (await index.search({ session: 's', query, maxResults })).map(({ name }) => name);
}

describe('KeywordToolIndex', () => {
  it.each([
    ['getWeatherForecast', 'weather'],
    ['get_weather_forecast', 'weather'],
    ['get-weather-forecast', 'weather'],
    ['mcp__weather.v2__get', 'weather'],
    ['HTTPServerStatus', 'http server'],
    ['listGitHubIssues', 'github'],
    ['listGitHubIssues', 'GitHub issue'],
    ['github_issues', 'GitHub'],
    ['s3Upload', 's3'],
    ['oauth2Login', 'OAuth'],
    ['listCategories', 'category'],
    ['findBoxes', 'box'],
    ['translateText', 'translation'],
    ['sendEmail', 'sending emails'],
    ['caféFinder', 'cafe'],
    ['ＷＥＡＴＨＥＲ', 'weather'],
    ['発送_email', '発送'],
    ['날씨조회', '날씨'],
    ['พยากรณ์อากาศ', 'อากาศ'],
    ['查询天气', '天气'],
    ['查询天气', '气'],
    ['weather', 'WEATHER?!'],
  ])('finds %s by %s', async (name, query) => {
    expect(await found([reference('another'), reference(name)], query)).toEqual([name]);
  });

  it('looks into descriptions, parameters and categories, and prefers names', async () => {
    const tools = [
      reference('a', 'Mentions invoices once'),
      reference('b', '', { parameters: [{ name: 'invoiceId' }] }),
      reference('c', '', { parameters: [{ name: 'x', description: 'number of the invoice' }] }),
      reference('d', '', { categories: ['invoices'] }),
      reference('payInvoice'),
      reference('e'),
    ];
    const names = await found(tools, 'invoice');
    expect(names[0]).toBe('payInvoice');
    expect(names.toSorted()).toEqual(['a', 'b', 'c', 'd', 'payInvoice']);
  });

  it('puts a tool first whose name is in the query as it is', async () => {
    const tools = [reference('send_mail_mail_mail', 'send mail by mail'), reference('send', 'anything')];
    expect(await found(tools, 'mail (send)')).toEqual(['send', 'send_mail_mail_mail']);
  });

  it('ignores words that say nothing, unless there are no others', async () => {
    const tools = [reference('tool_for_you', 'I can do this for you'), reference('pay', 'Pays')];
    expect(await found(tools, 'I want you to pay this')).toEqual(['pay']);
    expect(await found(tools, 'for you')).toEqual(['tool_for_you']);
  });

  it('does not take words for related that only share a beginning', async () => {
    expect(await found([reference('signContract')], 'contact')).toEqual([]);
    expect(await found([reference('cat')], 'category')).toEqual([]);
  });

  it('keeps the order of the tools among equals, and at most as many as asked for', async () => {
    const tools = ['c', 'a', 'b', 'd'].map((letter) => reference(`mail_${letter}${letter}`, 'Sends mail'));
    expect(await found(tools, 'mail', 3)).toEqual(['mail_cc', 'mail_aa', 'mail_bb']);
  });

  it('keeps sessions apart, replaces them whole and forgets them', async () => {
    const index = new KeywordToolIndex();
    const search = async (session: string) =>
      (await index.search({ session, query: 'mail', maxResults: 9 })).map(({ name }) => name);
    await index.index('one', [reference('mailOne')]);
    await index.index('two', [reference('mailTwo')]);
    expect([await search('one'), await search('two'), await search('three')]).toEqual([['mailOne'], ['mailTwo'], []]);
    await index.index('one', [reference('mailNew')]);
    expect(await search('one')).toEqual(['mailNew']);
    await index.clear('one');
    await index.clear('never there');
    expect([await search('one'), await search('two')]).toEqual([[], ['mailTwo']]);
  });

  it('keeps what it was given, whatever becomes of the list', async () => {
    const index = new KeywordToolIndex();
    const tools = [reference('mailOne')];
    await index.index('s', tools);
    tools.length = 0;
    expect(await index.search({ session: 's', query: 'mail', maxResults: 1 })).toMatchObject([{ name: 'mailOne' }]);
  });

  it('refuses what it cannot search with, and heeds its signal', async () => {
    const index = new KeywordToolIndex();
    const wrong = { code: 'invalid_argument' };
    await expect(index.index(' ', [])).rejects.toMatchObject({ ...wrong, subject: 'session' });
    await expect(index.search({ session: '', query: 'x', maxResults: 1 })).rejects.toMatchObject(wrong);
    await expect(index.search({ session: 's', query: ' ', maxResults: 1 })).rejects.toMatchObject(wrong);
    await expect(index.search({ session: 's', query: 'x', maxResults: 0 })).rejects.toMatchObject(wrong);
    const context = { signal: AbortSignal.abort() };
    await expect(index.index('s', [], context)).rejects.toMatchObject({ code: 'aborted' });
    await expect(index.clear('s', context)).rejects.toMatchObject({ code: 'aborted' });
    await expect(index.search({ session: 's', query: 'x', maxResults: 1 }, context)).rejects.toMatchObject({
      code: 'aborted',
    });
  });

  it('gives sorted scores that are numbers, whatever is indexed and asked', async () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.constant('mail天气'));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name, maxLength: 12 }),
        text.filter((query) => query.trim() !== ''),
        fc.integer({ min: 1, max: 5 }),
        async (rows, query, maxResults) => {
          const index = new KeywordToolIndex();
          await index.index(
            's',
            rows.map(([name, description]) => reference(name, description)),
          );
          const matches = await index.search({ session: 's', query, maxResults });
          expect(matches.length).toBeLessThanOrEqual(maxResults);
          expect(new Set(matches.map(({ name }) => name)).size).toBe(matches.length);
          for (const { name, score } of matches) {
            expect(rows.some(([known]) => known === name)).toBe(true);
            expect(score > 0 && Number.isFinite(score)).toBe(true);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
