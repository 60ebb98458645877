import type { Json } from '../shared/json.ts';
import { type Reply, reply } from '../shared/reply.ts';
import { VendorError } from '../shared/vendor-error.ts';
import type { Route } from './route.ts';

/** The vendor's words for what any simulator may refuse (faults, and unknown addresses). */
const WORDS: Readonly<Record<number, string>> = {
  401: 'AUTHENTICATION_REQUIRED',
  403: 'INVALID_PERMISSIONS',
  413: 'REQUEST_TOO_LARGE',
  422: 'INVALID_REQUEST_UNKNOWN',
  429: 'RATE_LIMIT_REACHED',
  500: 'SERVER_ERROR',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
};

/** A refusal in one of the vendor's three forms; those of the sign-in are from RFC 6749. */
export function refusal({ status, code, message, headers }: VendorError, route: Route | null): Reply {
  return reply(status, JSON.stringify(bodyOf(status, code, message, route)), headers);
}

function bodyOf(status: number, code: string, message: string, route: Route | null): Json {
  if (route?.kind === 'oauth') return { error: code, error_description: message };
  const word = /^[A-Z]/.test(code) ? code : (WORDS[status] ?? 'INVALID_REQUEST_UNKNOWN');
  if (status === 404) return { error: 'NOT_FOUND' };
  if (status === 429) return { errors: [{ error: word, message }] };
  return { error: { type: word, message } };
}

export const invalidRequest = (message: string): VendorError =>
  new VendorError(422, 'INVALID_REQUEST_UNKNOWN', message);
export const unknownField = (name: string): VendorError =>
  new VendorError(422, 'UNKNOWN_FIELD_NAME', `Unknown field name: "${name}"`);
export const notPermitted = (): VendorError =>
  new VendorError(403, 'INVALID_PERMISSIONS', 'You are not permitted to perform this operation');
/** The vendor does not say which of the two it is. */
export const unseen = (): VendorError =>
  new VendorError(
    403,
    'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND',
    'Invalid permissions, or the requested model was not found. Check that both your user and your token have the required permissions, and that the model names and/or ids are correct.',
  );
