import { VernalError } from '@vernal/core';
import { LAYOUT } from './scripts/script-parts.js';

/** Of a conversation that a later release has written in another way. */
export function otherLayout(): VernalError {
  return new VernalError(
    `The conversation is stored in another layout than ${LAYOUT}, which this release knows; update @vernal/memory-redis`,
    { code: 'invalid_state', subject: 'layout' },
  );
}
