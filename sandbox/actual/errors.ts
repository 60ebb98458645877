import { type Reply, reply } from '../shared/reply.ts';
import { VendorError } from '../shared/vendor-error.ts';

interface Reason {
  readonly status: number;
  /** Whether it is sent as plain text. */
  readonly bare?: true;
  readonly details?: string;
  /** Its text, if that is not its name. */
  readonly said?: string;
}

/** Reasons of the sync server. */
const REASONS = {
  unauthorized: { status: 401, details: 'token-not-found' },
  'token-expired': { status: 401 },
  'invalid-password': { status: 400 },
  /** For sign-in by a reverse proxy, and by OpenID; the former is not an error by its status. */
  'invalid-header': { status: 200 },
  'Invalid redirect URL': { status: 400 },
  'file-not-found': { status: 400, bare: true },
  /** The same in JSON, as one of the routes returns it. */
  'budget-not-found': { status: 400, said: 'file-not-found' },
  'User or file not found': { status: 400, bare: true },
  'invalid fileId': { status: 400, bare: true },
  'file-old-version': { status: 400, bare: true },
  'file-needs-upload': { status: 400, bare: true },
  'file-has-reset': { status: 400, bare: true },
  'file-has-new-key': { status: 400, bare: true },
  'unprocessable-entity': { status: 422, details: 'since-required' },
  'internal-error': { status: 500 },
  'too-many-requests': { status: 429 },
} as const satisfies Record<string, Reason>;
export type ServerReason = keyof typeof REASONS;

export function serverError(reason: ServerReason, headers?: Readonly<Record<string, string>>): VendorError {
  return new VendorError(REASONS[reason].status, reason, reason, headers);
}

/** The server's form of a refusal. */
export function refusal({ status, code, headers }: VendorError): Reply {
  const known: Reason | null = isReason(code) ? REASONS[code] : null;
  if (known?.bare === true) {
    return { status, body: code, headers: { 'content-type': 'text/html; charset=utf-8', ...headers } };
  }
  const details = known?.details === undefined ? {} : { details: known.details };
  return reply(status, JSON.stringify({ status: 'error', reason: known?.said ?? code, ...details }), headers);
}

function isReason(code: string): code is ServerReason {
  return Object.hasOwn(REASONS, code);
}
