import { noopLogger, noopObservationRegistry } from '@vernal/core';
import { describe, expect, it } from 'vitest';

describe('the defaults of the ports', () => {
  it('observe nothing and run what they are given', async () => {
    expect(noopObservationRegistry).toMatchObject({ enabled: false, content: false });
    const observation = noopObservationRegistry.start({ kind: 'tool', name: 't', data: {} });
    observation.add({ a: 1 });
    observation.event('e');
    observation.error(new Error('x'));
    expect(await observation.run(async () => 7)).toBe(7);
    expect(observation.stop()).toBeUndefined();
  });

  it('log nothing', () => {
    expect([noopLogger.debug('a'), noopLogger.info('b'), noopLogger.warn('c', {})]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
