// Shapes: https://platform.openai.com/docs/api-reference/moderations/object
import { OpenAiModerationModel } from '@vernal/model-openai';
import { startMockServer } from '@vernal/testing/mock-server';
import { describe, expect, it } from 'vitest';
import { failure } from './task-ways.js';

const CATEGORIES = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/instructions',
  'self-harm/intent',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
];

const verdict = (flagged: boolean, score: number) => ({
  flagged,
  categories: Object.fromEntries(CATEGORIES.map((name) => [name, flagged && name === 'violence'])),
  category_scores: Object.fromEntries(CATEGORIES.map((name, at) => [name, score / (at + 1)])),
  category_applied_input_types: Object.fromEntries(CATEGORIES.map((name) => [name, ['text']])),
});

async function answered(results: unknown, input: string | readonly string[] = 'q', more: object = {}) {
  await using server = await startMockServer([{ json: { id: 'modr-1', model: 'omni-1', results, ...more } }]);
  const answer = await new OpenAiModerationModel({ baseURL: `${server.url}/v1`, maxRetries: 0 }).call(input);
  return { answer, sent: server.requests[0]?.json };
}

describe('moderation', () => {
  it('of several texts is one request, with one verdict each, in order, and every category with its score', async () => {
    const { answer, sent } = await answered([verdict(false, 0.1), verdict(true, 0.9)], ['first', 'second']);
    expect(sent).toEqual({ model: 'omni-moderation-latest', input: ['first', 'second'] });
    expect(answer).toMatchObject({ id: 'modr-1', model: 'omni-1', results: [{ flagged: false }, { flagged: true }] });
    const [fine, bad] = answer.results;
    expect(Object.keys(bad?.categories ?? {})).toEqual(CATEGORIES);
    expect(Object.keys(bad?.scores ?? {})).toEqual(CATEGORIES);
    expect([fine?.categories['violence'], bad?.categories['violence'], bad?.categories['hate']]).toEqual([
      false,
      true,
      false,
    ]);
    expect([fine?.scores['harassment'], bad?.scores['harassment']]).toEqual([0.1, 0.9]);
  });

  it('of a text is that of a list of one, by the model of the call', async () => {
    await using server = await startMockServer([{ json: { results: [verdict(false, 0)] } }]);
    const model = new OpenAiModerationModel({ baseURL: `${server.url}/v1` });
    const answer = await model.call('text', { model: 'text-moderation-stable' });
    expect(server.requests[0]?.json).toEqual({ model: 'text-moderation-stable', input: ['text'] });
    expect(answer).toMatchObject({ model: 'text-moderation-stable', results: [{ flagged: false }] });
    expect(answer).not.toHaveProperty('id');
  });

  it('of nothing asks nobody', async () => {
    await using server = await startMockServer([]);
    const answer = await new OpenAiModerationModel({ baseURL: `${server.url}/v1` }).call([]);
    expect(answer).toEqual({ model: 'omni-moderation-latest', results: [] });
    expect(server.requests).toHaveLength(0);
  });

  it('leaves out categories that an older model does not know, and takes any name', async () => {
    const odd = JSON.parse('{"illicit": null, "__proto__": true, "own": false}');
    const scores = JSON.parse('{"illicit": null, "__proto__": 0.5, "own": 0}');
    const { answer } = await answered([{ flagged: true, categories: odd, category_scores: scores }]);
    expect(Object.entries(answer.results[0]?.categories ?? {})).toEqual([
      ['__proto__', true],
      ['own', false],
    ]);
    expect(Object.entries(answer.results[0]?.scores ?? {})).toEqual([
      ['__proto__', 0.5],
      ['own', 0],
    ]);
  });

  it.each<[string, unknown]>([
    ['two verdicts for one text', [verdict(false, 0), verdict(false, 0)]],
    ['no verdict', []],
    ['neither yes nor no', [{ ...verdict(false, 0), flagged: 'no' }]],
    ['no categories', [{ flagged: true }]],
    ['a number for a category', [{ flagged: true, categories: { hate: 1 }, category_scores: {} }]],
    ['a word for a score', [{ flagged: true, categories: {}, category_scores: { hate: 'high' } }]],
    ['null', [null]],
  ])('whose answer cannot be read is an error and never a clean verdict: %s', async (_what, results) => {
    expect(await failure(answered(results))).toMatchObject({ code: 'model_error', retryable: false });
  });

  it.each([
    [undefined, 'input'],
    [7, 'input'],
    [{ text: 'q' }, 'input'],
    [['fine', 7], 'input[1]'],
  ])('of what is no text is refused before anything is sent: %j', async (input, subject) => {
    await using server = await startMockServer([]);
    const model = new OpenAiModerationModel({ baseURL: `${server.url}/v1` });
    expect(await failure(model.call(input as never))).toMatchObject({ code: 'invalid_argument', subject });
    expect(server.requests).toHaveLength(0);
  });
});
