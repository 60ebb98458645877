import { Type } from 'typebox';
import { oneOf, resource } from '../../operations/schemas/conventions.ts';
import { ERROR_TYPES, errorAnchor } from '../../vocabulary/error-codes.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import { storeFailure } from '../../vocabulary/store-unavailable.ts';

/** The form of every failure (docs/errors.md). */
export const errorEnvelopeSchema = resource('error', {
  error: Type.Object(
    {
      type: oneOf(ERROR_TYPES),
      code: Type.String({ description: 'Stable; branch on it.' }),
      message: Type.String({ description: 'What happened and what to do next, for people.' }),
      param: Type.Union([Type.String(), Type.Null()], { description: 'The field at fault, if one is.' }),
      doc_url: Type.String({ description: 'Where the code is explained.' }),
      request_id: Type.String({ description: 'The Request-Id of this answer.' }),
    },
    { additionalProperties: false },
  ),
});

/** What a caller sees of a failure: never a stack, never a cause, never `detail`. */
export function errorEnvelope(error: ServiceError, requestId: string, docsUrl: string): string {
  return JSON.stringify({
    error: {
      type: error.type,
      code: error.code,
      message: error.message,
      param: error.param,
      doc_url: `${docsUrl}#${errorAnchor(error.code)}`,
      request_id: requestId,
    },
  });
}

/**
 * The ServiceError behind whatever was thrown; a fault of our own is `internal_error`. A store that is
 * away comes first, whatever failed because of it: it is the one thing to know.
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
