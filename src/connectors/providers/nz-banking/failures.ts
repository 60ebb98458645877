import { UpstreamFailure, type UpstreamSituation } from '../../../vocabulary/upstream-failures.ts';
import { text, type WireObject } from '../kit/json.ts';
import { ErrorAnswer, type SaidError, type VendorErrors } from '../kit/vendor-calls.ts';

/** Codes of the OAuth calls (RFC 6749, section 5.2); data calls have none. */
const OAUTH_CODES: readonly (readonly [RegExp, UpstreamSituation])[] = [
  [/^(invalid_client|unauthorized_client)$/, 'own_credentials'],
  // The code of a sign-in was already used or has expired: no grant has ended.
  [/^invalid_grant$/, 'other'],
  [/^(server_error|temporarily_unavailable)$/, 'server_error'],
];

/** Errors of calls for a user: what is refused is their token, or what they shared. */
export const USER_ERRORS: VendorErrors = {
  read,
  codes: OAUTH_CODES,
  situation: (status) => {
    if (status === 401 || status === 403) return 'grant_rejected';
    // Its cursors never go stale as far as known: this is an outage on later pages too.
    return status === 503 ? 'server_error' : null;
  },
};

/** Errors of calls for the app: what is refused is our own token or secret, or a permission of the app. */
export const APP_ERRORS: VendorErrors = { read, codes: OAUTH_CODES };

/** Whether the user's token was revoked, and with it every login. */
export function isRevoked(error: unknown): boolean {
  return error instanceof ErrorAnswer && error.status === 401 && error.situation === 'grant_rejected';
}

/**
 * The failure of a call that should end something. If it is only forbidden (403), nothing has changed, and it is
 * retried.
 */
export function failureToEnd(error: unknown): unknown {
  if (!(error instanceof ErrorAnswer) || error.status !== 403) return error;
  return new UpstreamFailure('other', error.message, { cause: error });
}

function read(body: WireObject): SaidError {
  const code = text(body, 'error');
  return {
    codes: code === null ? [] : [code],
    message: text(body, 'message') ?? text(body, 'error_description') ?? code,
  };
}
