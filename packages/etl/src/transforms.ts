import type { CallContext, Document, DocumentTransformer } from '@vernal/core';
import { invalidArgument } from '@vernal/core';

/** A transformer, or a function from documents to documents. */
export type Transform = DocumentTransformer | ((documents: AsyncIterable<Document>) => AsyncIterable<Document>);

/** From documents to documents, for one run. */
export type Stage = (documents: AsyncIterable<Document>, context: CallContext) => AsyncIterable<Document>;

/** @throws VernalError `invalid_argument` for what is neither */
export function transformStage(transform: Transform): Stage {
  if (typeof transform === 'function') return transform;
  if (typeof transform?.transform === 'function')
    return (documents, context) => transform.transform(documents, context);
  throw invalidArgument(
    'transformer',
    'pass an object with transform(documents), or a function from documents to documents',
  );
}

/** One after the other. */
export function transformStages(transforms: Transform | readonly Transform[] = []): Stage {
  const list = Array.isArray(transforms) ? (transforms as readonly Transform[]) : [transforms as Transform];
  const stages = list.map(transformStage);
  return (documents, context) => stages.reduce((piped, stage) => stage(piped, context), documents);
}
