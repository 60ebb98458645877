import { Type } from 'typebox';
import { oneOf, resource } from '../../operations/v2/schema/conventions.ts';
import { ERROR_TYPES, errorAnchor } from '../../vocabulary/error-codes.ts';
import type { ServiceError } from '../../vocabulary/service-error.ts';

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

/** What a caller sees of a failure: never a stack, never a cause, never `detail`. `param` is the one at fault as written. */
export function errorEnvelope(
  error: Omit<ServiceError, 'param'>,
  { param, requestId, docsUrl }: { param: string | null; requestId: string; docsUrl: string },
): string {
  return JSON.stringify({
    error: {
      type: error.type,
      code: error.code,
      message: error.message,
      param,
      doc_url: `${docsUrl}#${errorAnchor(error.code)}`,
      request_id: requestId,
    },
  });
}
