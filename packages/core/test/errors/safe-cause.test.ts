import { safeCause, VernalError } from '@vernal/core';
import { expect, it } from 'vitest';

it('a foreign error keeps its name, its place and what the platform calls it, and loses its words', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
  const cause = safeCause(new TypeError('fetch of https://x/?token=s3cret failed', { cause: refused }));
  expect(cause).toMatchObject({ name: 'TypeError', message: '', cause: { code: 'ECONNREFUSED' } });
  expect(cause).toMatchObject({ cause: { message: 'connect ECONNREFUSED 127.0.0.1:1' } });
  expect((cause as Error).stack).toMatch(/^TypeError\n +at .*safe-cause\.test/);
  expect((cause as Error).stack).not.toContain('s3cret');
});

it('an error of this framework is its own cause, and what is no error is none', () => {
  const own = new VernalError('mend this', { code: 'invalid_state' });
  expect(safeCause(own)).toBe(own);
  for (const thrown of ['s3cret', 7, null, undefined]) expect(safeCause(thrown)).toBeUndefined();
});

it('words that look like places in the code are lost, too', () => {
  const thrown = new Error('answered: boom\n    at https://x/?token=s3cret:1:1\n');
  expect((safeCause(thrown) as Error).stack).toMatch(/^Error\n +at .*safe-cause\.test/);
  expect((safeCause(thrown) as Error).stack).not.toContain('s3cret');
  thrown.message = 'another';
  expect((safeCause(thrown) as Error).stack).toBe('Error');
});
