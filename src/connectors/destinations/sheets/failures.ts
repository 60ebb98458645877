import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import type { DestinationFailure } from '../destination-failure.ts';
import { VendorRefusal } from '../kit/failures.ts';
import type { Judgement } from '../kit/vendor-client.ts';

const Reason = Type.Object({ reason: Type.String() });
const Refused = Type.Object({
  error: Type.Object({
    message: Type.Optional(Type.String()),
    status: Type.Optional(Type.String()),
    details: Type.Optional(Type.Array(Type.Unknown())),
    errors: Type.Optional(Type.Array(Type.Unknown())),
  }),
});

/** Something in the call no longer exists: a tab, or rows beyond the end of one. */
const GRID_GONE = 'GRID_GONE';
/** No other request would be accepted either. */
const NEVER_TAKEN: ReadonlySet<string> = new Set(['CELL_LIMIT', 'PROTECTED', 'SERVICE_DISABLED']);

/** Texts of Google's 400 that say more than its status. */
const TEXTS: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/unable to parse range|no grid with id|exceeds grid limits|must be less than the grid size/i, GRID_GONE],
  [/increase the number of cells/i, 'CELL_LIMIT'],
  [/protected cell or object/i, 'PROTECTED'],
];
const RATE_REASONS = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'RATE_LIMIT_EXCEEDED']);
const DISABLED_REASONS = new Set(['SERVICE_DISABLED', 'accessNotConfigured']);
/** Google sends no Retry-After: its quotas are refilled each minute. */
const REFILL_MS = 20_000;

/** What an answer of Sheets or Drive outside 2xx means. */
export function judgeGoogle(answer: OutgoingResponse): Judgement {
  const { status } = answer;
  const { word, text, reasons } = sayingOf(answer);
  const final = (code: (Judgement & { kind: 'final' })['code'], shown: string): Judgement => ({
    kind: 'final',
    code,
    word: shown,
    text,
    retryable: false,
  });
  if (status === 401) return { kind: 'token' };
  if (status === 429 || status === 408 || (status === 403 && reasons.some((one) => RATE_REASONS.has(one)))) {
    return { kind: 'again', code: 'rate_limited', applied: false, afterMs: REFILL_MS };
  }
  if (status >= 500) {
    return { kind: 'again', code: status === 504 ? 'timeout' : 'run_failed', applied: true };
  }
  if (status === 403) {
    if (reasons.includes('ACCESS_TOKEN_SCOPE_INSUFFICIENT')) {
      return final('destination_auth_failed', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT');
    }
    return reasons.some((one) => DISABLED_REASONS.has(one))
      ? final('run_failed', 'SERVICE_DISABLED')
      : final('destination_resource_missing', 'PERMISSION_DENIED');
  }
  if (status === 404 || status === 410) return final('destination_resource_missing', 'NOT_FOUND');
  const known = TEXTS.find(([pattern]) => pattern.test(text))?.[1];
  if (known === GRID_GONE) return final('destination_resource_missing', GRID_GONE);
  return final('run_failed', known ?? word);
}

function sayingOf(answer: OutgoingResponse) {
  let body: unknown = null;
  try {
    body = JSON.parse(answer.text());
  } catch {
    // A proxy's own page: the status is enough.
  }
  if (!Value.Check(Refused, body)) return { word: '', text: '', reasons: [] };
  const { message = '', status = '', details = [], errors = [] } = body.error;
  const reasons = [...details, ...errors].flatMap((one) => (Value.Check(Reason, one) ? [one.reason] : []));
  return { word: /^[A-Z_]{1,40}$/.test(status) ? status : '', text: message, reasons };
}

/** Whether a batch contained a tab, or rows, that no longer exist. */
export const isGridGone = (error: DestinationFailure): boolean =>
  error instanceof VendorRefusal && error.word === GRID_GONE;

/** Whether a batch may have been refused because of the rows in it. */
export const isAboutRows = (error: DestinationFailure): boolean =>
  error instanceof VendorRefusal &&
  error.status === 400 &&
  error.word !== GRID_GONE &&
  !NEVER_TAKEN.has(error.word);
