import { isRetryableStatus, type VernalErrorCode } from '@vernal/core';

/**
 * The code of a `ModelError` by HTTP status, the same for every provider:
 * 401 and 403 `model_authentication`, 404 `model_not_found`, 429 `model_rate_limit`, 503 and 529 `model_overloaded`,
 * any other 4xx that cannot be repeated `model_bad_request`, anything else `model_error`.
 */
export function modelErrorCode(status: number): VernalErrorCode {
  if (status === 401 || status === 403) return 'model_authentication';
  if (status === 404) return 'model_not_found';
  if (status === 429) return 'model_rate_limit';
  if (status === 503 || status === 529) return 'model_overloaded';
  if (status >= 400 && status < 500 && !isRetryableStatus(status)) return 'model_bad_request';
  return 'model_error';
}
