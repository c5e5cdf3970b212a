import { VernalError } from '@vernal/core';

/** How conversations are stored; each says so in `layout`. */
export const LAYOUT = 1;

/** Of a conversation that a later release has written in another way. */
export function otherLayout(): VernalError {
  return new VernalError(
    `The conversation is stored in another layout than ${LAYOUT}, which this release knows; update @vernal/memory-neo4j`,
    { code: 'invalid_state', subject: 'layout' },
  );
}

/** Of a node that has no layout, however often it was looked at. */
export function deletedMeanwhile(code: 'store_read' | 'store_write'): VernalError {
  return new VernalError(
    'The conversation was deleted again and again while it was waited for, or its node is not of @vernal/memory-neo4j: try again later',
    { code, subject: 'layout', retryable: true },
  );
}
