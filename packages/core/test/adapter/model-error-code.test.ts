import { isRetryableStatus } from '@vernal/core';
import { modelErrorCode } from '@vernal/core/adapter';
import { describe, expect, it } from 'vitest';

describe('modelErrorCode', () => {
  it.each([
    [400, 'model_bad_request', false],
    [401, 'model_authentication', false],
    [403, 'model_authentication', false],
    [404, 'model_not_found', false],
    [408, 'model_error', true],
    [409, 'model_error', true],
    [413, 'model_bad_request', false],
    [422, 'model_bad_request', false],
    [429, 'model_rate_limit', true],
    [500, 'model_error', true],
    [503, 'model_overloaded', true],
    [529, 'model_overloaded', true],
    [302, 'model_error', false],
  ])('%i is %s, retryable %s', (status, code, retryable) => {
    expect(modelErrorCode(status)).toBe(code);
    expect(isRetryableStatus(status)).toBe(retryable);
  });
});
