import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import type { Judgement } from '../kit/vendor-client.ts';

/** How long Airtable refuses every call of a base that was called too often. */
const PENALTY_MS = 30_000;
/** Airtable's own words are capitals; anything else in their place is not shown. */
const WORD = /^[A-Z][A-Z0-9_]{1,60}$/;

/** The month's calls of the workspace are spent: waiting does not help. */
export const MONTH_SPENT = 'PUBLIC_API_BILLING_LIMIT_EXCEEDED';
/** What the token cannot see, whether it exists or not. */
export const UNSEEN = 'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND';
/** Words for columns that are gone. */
export const GONE_COLUMNS: ReadonlySet<string> = new Set(['UNKNOWN_FIELD_NAME', 'INVALID_FILTER_BY_FORMULA']);
/** Words for a name that is taken. */
export const TAKEN_NAMES: ReadonlySet<string> = new Set([
  'DUPLICATE_OR_EMPTY_FIELD_NAME',
  'DUPLICATE_TABLE_NAME',
]);

/**
 * Words for a base or table that holds as many records as its plan allows. Airtable does not publish its word for it, so
 * every word that names a limit counts as one: a full base must not be tried row by row.
 */
const FULL = /(?:^|_)(?:LIMIT|QUOTA)(?:_|$)/;

export function isFull(word: string): boolean {
  return FULL.test(word);
}

/** Whether a refusal is about rows, so that the others of the batch can be written without them. */
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

/** Airtable's errors come as `{error: {type, message}}`, `{error: "WORD"}` and `{errors: [{error, message}]}`. */
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
