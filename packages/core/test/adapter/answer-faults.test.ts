import { ModelError } from '@vernal/core';
import { notTheApi, streamInterrupted } from '@vernal/core/adapter';
import { expect, it } from 'vitest';

const place = { provider: 'acme', name: 'Acme' };

it('says that a stream ended early, and that trying again may help', () => {
  const error = streamInterrupted({ ...place, model: 'one' });
  expect(ModelError.is(error)).toBe(true);
  expect(error).toMatchObject({
    code: 'model_stream_interrupted',
    provider: 'acme',
    retryable: true,
    details: { model: 'one' },
  });
  expect(error.message).toMatch(/^Acme .*try again$/);
});

it('says that something else listens at the address', () => {
  const error = notTheApi(place);
  expect(error).toMatchObject({
    code: 'model_error',
    provider: 'acme',
    subject: 'baseURL',
    retryable: false,
    details: {},
  });
  expect(error.message).toContain('Acme API');
});
