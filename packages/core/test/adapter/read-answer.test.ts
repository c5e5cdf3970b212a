import { ModelError, VernalError } from '@vernal/core';
import { readAnswer, reportedCount } from '@vernal/core/adapter';
import { expect, it } from 'vitest';

const place = { provider: 'acme', name: 'Acme', model: 'one' };

function thrownBy(read: () => unknown, more: object = {}): unknown {
  try {
    readAnswer({ ...place, ...more }, read);
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

it('gives what was read', () => {
  expect(readAnswer(place, () => 42)).toBe(42);
});

it.each([
  ['a fault of the reader', new TypeError("Cannot read properties of null (reading 'secret')")],
  ['a value that the factories refuse', new VernalError('no', { code: 'invalid_argument' })],
])('says that the answer cannot be read: %s', (_, fault) => {
  const error = thrownBy(() => {
    throw fault;
  });
  expect(ModelError.is(error)).toBe(true);
  expect(error).toMatchObject({ code: 'model_error', provider: 'acme', retryable: false, details: { model: 'one' } });
  expect(JSON.stringify(error)).not.toContain('secret');
});

it('calls it an interrupted stream once the answer has begun, and still not worth another try', () => {
  const fault = (): never => {
    throw new TypeError('no');
  };
  expect(thrownBy(fault, { streaming: true })).toMatchObject({ code: 'model_stream_interrupted', retryable: false });
});

it.each([
  new ModelError('later', { provider: 'acme', code: 'model_overloaded' }),
  Object.assign(new Error('inside'), { error: { message: 'overloaded' } }),
])('lets pass what the provider reports', (fault) => {
  expect(
    thrownBy(() => {
      throw fault;
    }),
  ).toBe(fault);
});

it.each([
  [0, 0],
  [12, 12],
  [-1, undefined],
  [1.5, undefined],
  [Number.NaN, undefined],
  [1e300, undefined],
  ['12', undefined],
  [null, undefined],
  [undefined, undefined],
  [{}, undefined],
])('takes a counter %j as %j', (value, count) => {
  expect(reportedCount(value)).toBe(count);
});
