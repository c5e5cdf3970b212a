import { invalidArgument, UnsupportedCapabilityError } from '@vernal/core';
import type { FilterExpression } from '../filter/filter-expression.js';
import { requireOperators } from '../filter/filter-operators.js';
import type { NormalFilter } from '../filter/normalize-filter.js';
import { normalizeFilter } from '../filter/normalize-filter.js';
import { parseFilter } from '../filter/parse-filter.js';
import { isFiniteVector, isVector } from './vector-check.js';
import type { SearchMode, VectorStoreCapabilities } from './vector-store-capabilities.js';

/** Source: Spring AI `SearchRequest`; vectors, modes and MMR are additions. */
export interface SearchRequest {
  /** The text to be near to. Blank only with a `vector`. */
  readonly query: string;
  /** In place of embedding `query`. */
  readonly vector?: Float32Array | undefined;
  /** Default 4; an integer > 0. */
  readonly topK?: number | undefined;
  /** Keeps scores >= it. Default none: 0 and undefined keep all. In the scale of the store's metric. */
  readonly similarityThreshold?: number | undefined;
  readonly filterExpression?: string | FilterExpression | undefined;
  /** Default 'vector'. */
  readonly mode?: SearchMode | undefined;
  /** Maximal marginal relevance over `fetchK` (default 4 * topK); `lambda` 1 is relevance only (default 0.5). */
  readonly mmr?: { readonly lambda?: number | undefined; readonly fetchK?: number | undefined } | undefined;
}

/** Checked, parsed, defaults filled in: what an adapter searches with. */
export interface ResolvedSearchRequest {
  readonly query: string;
  readonly vector?: Float32Array;
  readonly topK: number;
  /** 0 keeps all, below 0 as well. */
  readonly similarityThreshold: number;
  readonly filter?: NormalFilter;
  readonly mode: SearchMode;
  readonly mmr?: { readonly lambda: number; readonly fetchK: number };
}

const DEFAULT_TOP_K = 4;
const DEFAULT_LAMBDA = 0.5;
const FETCH_FACTOR = 4;

function positive(value: number, subject: string): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw invalidArgument(subject, 'must be a whole number above 0');
}

function threshold(value: number | undefined, capabilities: VectorStoreCapabilities): number {
  if (value === undefined) return 0;
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw invalidArgument('similarityThreshold', 'must be a finite number; leave it out to keep all');
  }
  if (capabilities.metric === 'cosine' && Math.abs(value) > 1) {
    throw invalidArgument(
      'similarityThreshold',
      'cosine similarity lies between -1 and 1: give a number in that range',
    );
  }
  if (capabilities.metric === 'euclidean' && (value < 0 || value > 1)) {
    throw invalidArgument(
      'similarityThreshold',
      'scores of Euclidean distance lie between 0 and 1: give a number in that range',
    );
  }
  return value;
}

function queryVector(value: unknown): Float32Array {
  if (!isVector(value) || value.length === 0) {
    throw invalidArgument('vector', 'must be a Float32Array: use Float32Array.from(numbers)');
  }
  if (!isFiniteVector(value)) throw invalidArgument('vector', 'holds NaN or an infinity: check what embedded it');
  return value;
}

/** A filter as text or as a tree, checked against what the store can do. A blank text is no filter but an oversight. */
export function resolveFilter(
  filter: string | FilterExpression,
  capabilities: VectorStoreCapabilities,
  owner: string,
): NormalFilter {
  if (typeof filter === 'string' && filter.trim() === '') {
    throw invalidArgument('filter', 'is blank: leave it out for no filter, or write a comparison');
  }
  const normal = normalizeFilter(typeof filter === 'string' ? parseFilter(filter) : filter);
  requireOperators(normal, capabilities.filterOperators, owner);
  return normal;
}

export function unsupported(
  capability: string,
  owner: string,
  subject: string,
  fix: string,
): UnsupportedCapabilityError {
  return new UnsupportedCapabilityError(`${owner} does not support '${capability}': ${fix}`, {
    capability,
    owner,
    subject,
  });
}

const FIELDS: ReadonlySet<string> = new Set<keyof SearchRequest>([
  'query',
  'vector',
  'topK',
  'similarityThreshold',
  'filterExpression',
  'mode',
  'mmr',
]);

/** What people write who know another library. */
const MEANT: Readonly<Record<string, string>> = {
  filter: 'filterExpression',
  where: 'filterExpression',
  k: 'topK',
  limit: 'topK',
  text: 'query',
  threshold: 'similarityThreshold',
};

/** A filter under another name would be no filter, and the documents of every tenant would be found. */
function refuseUnknownFields(request: object): void {
  for (const [name, value] of Object.entries(request)) {
    if (FIELDS.has(name) || value === undefined) continue;
    const meant = Object.hasOwn(MEANT, name) ? `: did you mean ${MEANT[name]}?` : '';
    throw invalidArgument(name, `is no field of a search request${meant}`);
  }
}

/** `resolveSearchRequest` for a store that can say its name. */
export function resolveRequestOf(
  request: string | SearchRequest,
  capabilities: VectorStoreCapabilities,
  owner: string,
): ResolvedSearchRequest {
  const given: SearchRequest = typeof request === 'string' ? { query: request } : request;
  if (typeof given !== 'object' || given === null) {
    throw invalidArgument('request', 'must be a text or a search request');
  }
  refuseUnknownFields(given);
  if (typeof given.query !== 'string') throw invalidArgument('query', "must be text; with a vector it may be ''");
  const vector = given.vector === undefined ? undefined : queryVector(given.vector);
  const mode = given.mode ?? 'vector';
  if (mode !== 'vector' && mode !== 'keyword' && mode !== 'hybrid') {
    throw invalidArgument('mode', "must be 'vector', 'keyword' or 'hybrid'");
  }
  if (!capabilities.modes.includes(mode)) {
    throw unsupported(`mode.${mode}`, owner, 'mode', `it searches by ${capabilities.modes.join(', ')}`);
  }
  if (given.query.trim() === '' && (vector === undefined || mode !== 'vector')) {
    throw invalidArgument('query', 'is blank: give a text, or a vector to search with');
  }
  if (given.mmr !== undefined && !capabilities.mmr) {
    throw unsupported('mmr', owner, 'mmr', 'leave it out, or rerank the results');
  }
  const topK = positive(given.topK ?? DEFAULT_TOP_K, 'topK');
  return {
    query: given.query,
    topK,
    similarityThreshold: threshold(given.similarityThreshold, capabilities),
    mode,
    ...(vector === undefined ? undefined : { vector }),
    ...(given.filterExpression === undefined
      ? undefined
      : { filter: resolveFilter(given.filterExpression, capabilities, owner) }),
    ...(given.mmr === undefined ? undefined : { mmr: resolveMmr(given.mmr, topK) }),
  };
}

function resolveMmr(mmr: NonNullable<SearchRequest['mmr']>, topK: number): NonNullable<ResolvedSearchRequest['mmr']> {
  const lambda = mmr.lambda ?? DEFAULT_LAMBDA;
  if (!(lambda >= 0 && lambda <= 1)) throw invalidArgument('mmr.lambda', 'must be between 0 and 1');
  const fetchK = positive(mmr.fetchK ?? topK * FETCH_FACTOR, 'mmr.fetchK');
  if (fetchK < topK) throw invalidArgument('mmr.fetchK', 'must be at least topK: it is what topK is chosen from');
  return { lambda, fetchK };
}

/**
 * Fills in defaults, parses and normalises the filter, and refuses what the store does not declare.
 *
 * @throws VernalError `invalid_argument`, `filter_parse`, `filter_invalid` or `unsupported_capability`
 */
export function resolveSearchRequest(
  request: string | SearchRequest,
  capabilities: VectorStoreCapabilities,
): ResolvedSearchRequest {
  return resolveRequestOf(request, capabilities, 'This vector store');
}
