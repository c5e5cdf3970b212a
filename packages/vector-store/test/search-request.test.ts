import type { SearchRequest, VectorMetric, VectorStoreCapabilities } from '@vernal/vector-store';
import { filter, resolveSearchRequest } from '@vernal/vector-store';
import { describe, expect, it } from 'vitest';

const everything: VectorStoreCapabilities = {
  filterOperators: ['AND', 'OR', 'NOT', 'EQ', 'NE', 'GT', 'GTE', 'LT', 'LTE', 'IN', 'NIN', 'ISNULL', 'ISNOTNULL'],
  deleteByFilter: true,
  deleteCount: true,
  modes: ['vector', 'keyword', 'hybrid'],
  mmr: true,
  media: false,
  metric: 'cosine',
};

it.each([
  ['filter', 'filterExpression'],
  ['where', 'filterExpression'],
  ['k', 'topK'],
  ['limit', 'topK'],
])('a search request with %s is refused, for %s was meant', (name, meant) => {
  const request: SearchRequest = Object.assign({ query: 'roses' }, { [name]: "tenant == 'acme'" });
  expect(() => resolveSearchRequest(request, everything)).toThrow(
    expect.objectContaining({ code: 'invalid_argument', subject: name, message: expect.stringContaining(meant) }),
  );
});

it('a search request with a field that says nothing is refused, but not one that is undefined', () => {
  const unknown: SearchRequest = Object.assign({ query: 'roses' }, { constructor: 1 });
  expect(() => resolveSearchRequest(unknown, everything)).toThrow(/constructor: is no field/);
  expect(resolveSearchRequest(Object.assign({ query: 'roses' }, { filter: undefined }), everything).query).toBe(
    'roses',
  );
});

describe('resolveSearchRequest', () => {
  it('takes a text for the query and fills in the defaults', () => {
    expect(resolveSearchRequest('roses', everything)).toEqual({
      query: 'roses',
      topK: 4,
      similarityThreshold: 0,
      mode: 'vector',
    });
    const undefinedFields: SearchRequest = {
      query: 'roses',
      topK: undefined,
      similarityThreshold: undefined,
      filterExpression: undefined,
      mode: undefined,
      mmr: undefined,
      vector: undefined,
    };
    expect(resolveSearchRequest(undefinedFields, everything)).toEqual(resolveSearchRequest('roses', everything));
  });

  it('parses and normalises filters', () => {
    const filters = ['NOT (a == 1)', filter.not(filter.eq('a', 1)), filter.ne('a', 1)];
    for (const filterExpression of filters) {
      expect(resolveSearchRequest({ query: 'q', filterExpression }, everything).filter).toEqual(filter.ne('a', 1));
    }
  });

  it('fills in the parts of mmr', () => {
    const mmr = (given: SearchRequest['mmr']) =>
      resolveSearchRequest({ query: 'q', topK: 3, mmr: given }, everything).mmr;
    expect(mmr({})).toEqual({ lambda: 0.5, fetchK: 12 });
    expect(mmr({ lambda: 0, fetchK: 3 })).toEqual({ lambda: 0, fetchK: 3 });
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'request'],
    ['null', null, 'request'],
    ['no query', {}, 'query'],
    ['a blank query', { query: ' ' }, 'query'],
    ['a blank text', '', 'query'],
    ['topK 0', { query: 'q', topK: 0 }, 'topK'],
    ['topK -1', { query: 'q', topK: -1 }, 'topK'],
    ['topK 1.5', { query: 'q', topK: 1.5 }, 'topK'],
    ['topK as text', { query: 'q', topK: '4' }, 'topK'],
    ['a threshold of NaN', { query: 'q', similarityThreshold: Number.NaN }, 'similarityThreshold'],
    ['a threshold above the scale', { query: 'q', similarityThreshold: 1.1 }, 'similarityThreshold'],
    ['a threshold below the scale', { query: 'q', similarityThreshold: -1.1 }, 'similarityThreshold'],
    ['a blank filter', { query: 'q', filterExpression: ' ' }, 'filter'],
    ['an unknown mode', { query: 'q', mode: 'fuzzy' }, 'mode'],
    ['a list for a vector', { query: '', vector: [1, 0] }, 'vector'],
    ['an empty vector', { query: '', vector: new Float32Array(0) }, 'vector'],
    ['a vector with NaN', { query: '', vector: Float32Array.of(1, Number.NaN) }, 'vector'],
    ['keyword search by vector alone', { query: '', vector: Float32Array.of(1), mode: 'keyword' }, 'query'],
    ['lambda above 1', { query: 'q', mmr: { lambda: 1.5 } }, 'mmr.lambda'],
    ['lambda of NaN', { query: 'q', mmr: { lambda: Number.NaN } }, 'mmr.lambda'],
    ['fetchK below topK', { query: 'q', topK: 5, mmr: { fetchK: 4 } }, 'mmr.fetchK'],
  ])('refuses %s', (_name, request, subject) => {
    expect(() => resolveSearchRequest(request as SearchRequest, everything)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', subject }),
    );
  });

  it('knows the scale of the metric', () => {
    const threshold = (metric: VectorMetric, similarityThreshold: number) =>
      resolveSearchRequest({ query: 'q', similarityThreshold }, { ...everything, metric }).similarityThreshold;
    expect(threshold('cosine', -0.5)).toBe(-0.5);
    expect(threshold('dot', 40)).toBe(40);
    expect(threshold('euclidean', 0.2)).toBe(0.2);
    expect(() => threshold('euclidean', -0.2)).toThrow(/between 0 and 1/);
  });

  it('says where a filter is wrong', () => {
    expect(() => resolveSearchRequest({ query: 'q', filterExpression: 'a = 1' }, everything)).toThrow(
      expect.objectContaining({ code: 'filter_parse', line: 1, column: 3 }),
    );
    const tree = JSON.parse('{"type":"AND"}');
    expect(() => resolveSearchRequest({ query: 'q', filterExpression: tree }, everything)).toThrow(
      expect.objectContaining({ code: 'filter_invalid' }),
    );
  });

  it.each<[string, Partial<SearchRequest>, Partial<VectorStoreCapabilities>]>([
    ['mode.hybrid', { mode: 'hybrid' }, { modes: ['vector'] }],
    ['mode.vector', {}, { modes: ['keyword'] }],
    ['mmr', { mmr: {} }, { mmr: false }],
    ['filter.GT', { filterExpression: 'a == 1 AND b > 2' }, { filterOperators: ['AND', 'EQ'] }],
    ['filter.OR', { filterExpression: 'NOT (a == 1 AND b == 2)' }, { filterOperators: ['AND', 'EQ', 'NE', 'NOT'] }],
    ['filter.ISNULL', { filterExpression: 'a == null' }, { filterOperators: ['EQ'] }],
    ['filter.EQ', { filterExpression: 'a == 1' }, { filterOperators: [] }],
  ])('refuses %s where it is not declared', (capability, request, lacking) => {
    expect(() => resolveSearchRequest({ query: 'q', ...request }, { ...everything, ...lacking })).toThrow(
      expect.objectContaining({ code: 'unsupported_capability', capability }),
    );
    expect(resolveSearchRequest({ query: 'q', ...request }, everything).query).toBe('q');
  });
});
