import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import type { DestinationFailure } from '../destination-failure.ts';
import { VendorRefusal } from '../kit/failures.ts';
import type { Judgement } from '../kit/vendor-client.ts';
import type { AirtableAccess, AirtableApi } from './client.ts';

/** Permissions in a base that do not allow writing. */
export const READ_ONLY: ReadonlySet<string> = new Set(['none', 'read', 'comment']);

/** A failure whose message says what to do, if its code alone does not. */
export async function explained(
  api: AirtableApi,
  by: AirtableAccess,
  base: string,
  failure: DestinationFailure,
): Promise<DestinationFailure> {
  if (!(failure instanceof VendorRefusal)) return failure;
  const { word } = failure;
  if (word === MONTH_SPENT) {
    return again(
      failure,
      'the workspace has used up its API calls of this month. Wait for the next, or change its plan.',
    );
  }
  if (isFull(word)) {
    return again(
      failure,
      'the base holds as many records as its plan allows. Make room, or change its plan.',
    );
  }
  return word === UNSEEN ? unseen(api, by, base, failure) : failure;
}

/** Airtable answers the same for what is gone and what is not allowed; the list of bases shows which it is. */
async function unseen(
  api: AirtableApi,
  by: AirtableAccess,
  base: string,
  failure: VendorRefusal,
): Promise<DestinationFailure> {
  try {
    for await (const page of api.bases(by)) {
      const found = page.find(({ id }) => id === base);
      if (found === undefined) continue;
      if (!READ_ONLY.has(found.permissionLevel ?? '')) {
        return again(failure, 'the base no longer has the table. Choose another target.');
      }
      const { status, text, outcome } = failure;
      const more = { status, word: UNSEEN, text, outcome, retryable: false };
      const message = `Airtable answered ${status}: the person who granted access may no longer write to the base. Change that, or connect it again.`;
      return new VendorRefusal('destination_auth_failed', message, more);
    }
  } catch {
    by.signal.throwIfAborted();
    return failure;
  }
  return again(
    failure,
    'the base is gone, or access to it was not granted. Connect it again, or choose another.',
  );
}

function again(failure: VendorRefusal, advice: string): VendorRefusal {
  const { code, status, word, text, outcome, retryable } = failure;
  const message = `Airtable answered ${status}: ${advice}`;
  return new VendorRefusal(code, message, { status, word, text, outcome, retryable });
}

/** How long Airtable refuses every call of a base that was called too often. */
const PENALTY_MS = 30_000;
/** Airtable's error words are in capitals; anything else is not shown. */
const WORD = /^[A-Z][A-Z0-9_]{1,60}$/;

/** The workspace's calls of the month are used up: waiting does not help. */
const MONTH_SPENT = 'PUBLIC_API_BILLING_LIMIT_EXCEEDED';
/** For anything that the token cannot see, whether or not it exists. */
const UNSEEN = 'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND';
/** Words for columns that are gone. */
export const GONE_COLUMNS: ReadonlySet<string> = new Set(['UNKNOWN_FIELD_NAME', 'INVALID_FILTER_BY_FORMULA']);
/** Words for a name that is taken. */
export const TAKEN_NAMES: ReadonlySet<string> = new Set([
  'DUPLICATE_OR_EMPTY_FIELD_NAME',
  'DUPLICATE_TABLE_NAME',
]);

/**
 * Words for a base or table that has reached its plan's limit of records. Airtable does not publish its word for that,
 * so every word that mentions a limit counts: a full base must not be tried row by row.
 */
const FULL = /(?:^|_)(?:LIMIT|QUOTA)(?:_|$)/;

function isFull(word: string): boolean {
  return FULL.test(word);
}

/** Whether a refusal is about individual rows, so that the others of the batch can be written. */
export function isAboutRows(status: number, word: string): boolean {
  return status === 413 || (status === 422 && !GONE_COLUMNS.has(word) && !isFull(word));
}

/** What Airtable's answer outside 2xx means. */
export function judged(answer: OutgoingResponse): Judgement {
  const { status } = answer;
  const { word, text } = errorOf(answer);
  const final = (code: 'destination_auth_failed' | 'destination_resource_missing' | 'run_failed') =>
    ({ kind: 'final', code, word, text, retryable: false }) as const;
  switch (status) {
    case 401:
      return { kind: 'token' };
    case 403:
      return final(word === UNSEEN ? 'destination_resource_missing' : 'destination_auth_failed');
    case 404:
      return final('destination_resource_missing');
    case 429:
      return word === MONTH_SPENT
        ? { kind: 'final', code: 'rate_limited', word, text, retryable: false }
        : { kind: 'again', code: 'rate_limited', applied: false, afterMs: PENALTY_MS };
    case 504:
      return { kind: 'again', code: 'timeout', applied: true };
    default:
      return status >= 500 ? { kind: 'again', code: 'run_failed', applied: true } : final('run_failed');
  }
}

/**
 * Airtable's errors have the forms `{error: {type, message}}`, `{error: "WORD"}` and `{errors: [{error, message}]}`.
 */
function errorOf(answer: OutgoingResponse): { readonly word: string; readonly text: string } {
  const body = parsed(answer);
  const error = memberOf(body, 'error');
  const errors = memberOf(body, 'errors');
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const word = [error, memberOf(error, 'type'), memberOf(first, 'error')].find((one) => isText(one));
  const text = [memberOf(error, 'message'), memberOf(first, 'message')].find((one) => isText(one));
  return { word: isText(word) && WORD.test(word) ? word : '', text: isText(text) ? text : '' };
}

function parsed(answer: OutgoingResponse): unknown {
  try {
    return JSON.parse(answer.text());
  } catch {
    return null;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
