import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import type { UpstreamSituation } from '../../../vocabulary/upstream-failures.ts';
import { text, type WireObject } from '../kit/json.ts';
import { ErrorAnswer, type SaidError, type VendorErrors } from '../kit/vendor-calls.ts';

/** The vendor's codes, which it sends as numbers or as text. For others the status decides. */
const CODES: readonly (readonly [RegExp, UpstreamSituation])[] = [
  [/^1076$/, 'own_credentials'],
  [/^(3003|3011)$/, 'grant_rejected'],
  [/^1066$/, 'grant_rejected'],
  [/^1141$/, 'not_implemented'],
  [/^3012$/, 'not_ready'],
  [/^3002$/, 'server_error'],
];

const SECONDS = /\b(\d{1,6})\s*seconds?\b/i;

/** Errors of calls with only our key. */
export const OWN_ERRORS: VendorErrors = { read, codes: CODES, situation, wait };

/** Errors of calls for a user: a 401 that is not about our signature is about the user and the user's secret. */
export const USER_ERRORS: VendorErrors = {
  ...OWN_ERRORS,
  situation: (status) => (status === 401 ? 'grant_rejected' : situation(status)),
};

/** The vendor has three forms of bodies: `detail` and `code`, the same with the prefix `default_`, and only `error`. */
function read(body: WireObject): SaidError {
  const code = text(body, 'code', 'default_code');
  const message = text(body, 'detail', 'default_detail') ?? text(body, 'error');
  return { codes: code === null ? [] : [code], message };
}

function situation(status: number): UpstreamSituation | null {
  // The vendor pages by offset, so a 503 is never about a cursor.
  if (status === 503) return 'server_error';
  return status === 402 ? 'grant_rejected' : null;
}

/** The text contains the seconds for one call, the header those for all calls of the key. */
function wait(response: OutgoingResponse, { message }: SaidError): number | null {
  const [, said] = SECONDS.exec(message ?? '') ?? [];
  if (said !== undefined) return Number(said);
  const reset = response.header('x-ratelimit-reset') ?? '';
  return /^\d{1,6}$/.test(reset) ? Number(reset) : null;
}

/** A 401 that is not about our signature. A disabled connection is refused differently. */
export function isRefusedSecret(error: unknown): boolean {
  return error instanceof ErrorAnswer && error.status === 401 && error.situation === 'grant_rejected';
}
