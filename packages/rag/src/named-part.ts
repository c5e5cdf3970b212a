import { invalidArgument } from '@vernal/core';
import type {
  DocumentJoiner,
  DocumentJoinerLike,
  DocumentPostProcessor,
  DocumentPostProcessorLike,
  DocumentRetriever,
  DocumentRetrieverLike,
  QueryAugmenter,
  QueryAugmenterLike,
  QueryExpander,
  QueryExpanderLike,
  QueryTransformer,
  QueryTransformerLike,
} from './parts.js';
import type { RagStep } from './rag-degradation.js';
import { OF_A_STORE } from './retrieve-function.js';

/** Which part it is, as observations, logs and degradations say it. */
export interface PartPlace {
  readonly step: RagStep;
  readonly index: number;
  readonly name: string;
}

/** A part as the pipeline runs it. */
export interface NamedPart<Run> extends PartPlace {
  readonly run: Run;
}

/** Of the class or function; what has no name of its own is called by its step. */
function nameOf(part: object, step: RagStep): string {
  const name: unknown = typeof part === 'function' ? part.name : part.constructor?.name;
  return typeof name === 'string' && name !== '' && name !== 'Object' ? name : step;
}

function named<Run>(part: object, step: RagStep, index: number, run: Run): NamedPart<Run> {
  return { step, index, name: nameOf(part, step), run };
}

function noPart(subject: string, method: string, made = ''): never {
  throw invalidArgument(subject, `must be a function, or an object with ${method}()${made}`);
}

/** @throws VernalError `invalid_argument` for what is no transformer */
export function transformerPart(part: QueryTransformerLike, index: number): NamedPart<QueryTransformer['transform']> {
  if (typeof part === 'function') return named(part, 'transform', index, part);
  if (typeof part?.transform !== 'function') noPart(`queryTransformers[${index}]`, 'transform');
  return named(part, 'transform', index, (query, context) => part.transform(query, context));
}

/** @throws VernalError `invalid_argument` for what is no expander */
export function expanderPart(part: QueryExpanderLike): NamedPart<QueryExpander['expand']> {
  if (typeof part === 'function') return named(part, 'expand', 0, part);
  if (typeof part?.expand !== 'function') noPart('queryExpander', 'expand');
  return named(part, 'expand', 0, (query, context) => part.expand(query, context));
}

/** @throws VernalError `invalid_argument` for what is no retriever */
export function retrieverPart(part: DocumentRetrieverLike, index: number): NamedPart<DocumentRetriever['retrieve']> {
  if (typeof part === 'function') return named(part, 'retrieve', index, part);
  if (typeof part?.retrieve !== 'function') noPart(`documentRetriever[${index}]`, 'retrieve', OF_A_STORE);
  return named(part, 'retrieve', index, (query, context) => part.retrieve(query, context));
}

/** @throws VernalError `invalid_argument` for what is no joiner */
export function joinerPart(part: DocumentJoinerLike): NamedPart<DocumentJoiner['join']> {
  if (typeof part === 'function') return named(part, 'join', 0, part);
  if (typeof part?.join !== 'function') noPart('documentJoiner', 'join');
  return named(part, 'join', 0, (results, context) => part.join(results, context));
}

/** @throws VernalError `invalid_argument` for what is no post-processor */
export function postProcessorPart(
  part: DocumentPostProcessorLike,
  index: number,
): NamedPart<DocumentPostProcessor['process']> {
  if (typeof part === 'function') return named(part, 'post_process', index, part);
  if (typeof part?.process !== 'function')
    noPart(`documentPostProcessors[${index}]`, 'process', ', such as rerank(model)');
  return named(part, 'post_process', index, (query, documents, context) => part.process(query, documents, context));
}

/** @throws VernalError `invalid_argument` for what is no augmenter */
export function augmenterPart(part: QueryAugmenterLike): NamedPart<QueryAugmenter['augment']> {
  if (typeof part === 'function') return named(part, 'augment', 0, part);
  if (typeof part?.augment !== 'function') noPart('queryAugmenter', 'augment');
  return named(part, 'augment', 0, (query, documents, context) => part.augment(query, documents, context));
}
