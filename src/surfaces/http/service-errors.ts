import { ServiceError } from '../../vocabulary/service-error.ts';
import { storeFailure } from '../../vocabulary/store-unavailable.ts';

/**
 * The ServiceError for anything that was thrown; `internal_error` for a fault of our own. That a store is unreachable
 * has priority, since it is the cause of whatever else failed.
 */
export function asServiceError(thrown: unknown): ServiceError {
  const away = storeFailure(thrown);
  if (away !== null) return away;
  if (thrown instanceof ServiceError) return thrown;
  return fromFramework(thrown) ?? new ServiceError('internal_error', { cause: thrown });
}

function fromFramework(thrown: unknown): ServiceError | null {
  if (!(thrown instanceof Error) || !('code' in thrown)) return null;
  switch (thrown.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ServiceError('body_too_large');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new ServiceError('body_invalid', {
        message: 'The body does not match its headers or is not JSON.',
      });
    case 'FST_ERR_BAD_URL':
      return new ServiceError('route_missing');
    default:
      return null;
  }
}
