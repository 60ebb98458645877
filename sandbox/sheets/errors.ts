import type { Json, JsonObject } from '../shared/json.ts';
import { json, type Reply } from '../shared/reply.ts';
import { VendorError } from '../shared/vendor-error.ts';

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};
const DRIVE_REASONS: Readonly<Record<number, string>> = {
  400: 'invalid',
  401: 'authError',
  403: 'forbidden',
  404: 'notFound',
  429: 'rateLimitExceeded',
};

/** A refusal with the ErrorInfo that Google puts into `details`. */
export class GoogleError extends VendorError {
  readonly details: readonly Json[];

  constructor(status: number, reason: string, message: string, metadata: JsonObject | null = null) {
    super(status, reason, message);
    const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' };
    this.details = metadata === null ? [] : [{ ...info, metadata }];
  }
}

/** What is wrong with a request of the Sheets API. */
export const invalid = (message: string): GoogleError => new GoogleError(400, 'badRequest', message);

export const noGrid = (at: number, name: string, sheetId: number): GoogleError =>
  invalid(`Invalid requests[${at}].${name}: No grid with id: ${sheetId}`);

export const sheetNotFound = (): GoogleError =>
  new GoogleError(404, 'notFound', 'Requested entity was not found.');

export const unauthenticated = (): GoogleError =>
  new GoogleError(
    401,
    'CREDENTIALS_MISSING',
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  );

/** The error bodies of Sheets, Drive and the token endpoint. */
export function refusalOf(error: VendorError, kind: 'sheets' | 'drive' | 'oauth' | 'page' | null): Reply {
  const { status: code, message, headers } = error;
  const answer = (body: Json): Reply => {
    const reply = json(code, body);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  };
  if (kind === 'oauth') return answer({ error: error.code, error_description: message });
  if (kind === 'drive') {
    const reason = error instanceof GoogleError ? error.code : (DRIVE_REASONS[code] ?? 'backendError');
    return answer({ error: { code, message, errors: [{ message, domain: 'global', reason }] } });
  }
  const details = error instanceof GoogleError && error.details.length > 0 ? { details: error.details } : {};
  return answer({ error: { code, message, status: STATUSES[code] ?? 'UNKNOWN', ...details } });
}
