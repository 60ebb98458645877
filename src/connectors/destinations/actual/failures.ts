import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { brokenBound } from '../../../platform/json-bounds.ts';
import type { OutgoingResponse } from '../../../platform/outgoing-response.ts';
import type { Limits } from '../../../vocabulary/limits.ts';
import type { RunFailureCode } from '../../../vocabulary/syncs.ts';
import { DestinationFailure } from '../destination-failure.ts';
import { VendorRefusal } from '../kit/failures.ts';

const text = Type.String();
const orNull = Type.Optional(Type.Union([Type.String(), Type.Null()]));
/** 1 for a budget that was deleted. */
const deleted = Type.Union([Type.Number(), Type.Boolean()]);

export const LoginAnswer = Type.Object({ data: Type.Object({ token: text }) });
const BudgetFile = Type.Object({ fileId: text, name: text, deleted });
export type BudgetFile = Static<typeof BudgetFile>;
export const FilesAnswer = Type.Object({ data: Type.Array(BudgetFile) });
const EncryptMeta = Type.Object({ keyId: text, iv: text, authTag: text });
export const InfoAnswer = Type.Object({
  data: Type.Object({
    /** Null while the server waits for the file after a reset. */
    groupId: orNull,
    deleted,
    encryptMeta: Type.Optional(Type.Union([EncryptMeta, Type.Null()])),
  }),
});
export type BudgetInfo = Static<typeof InfoAnswer>['data'];
export const KeyAnswer = Type.Object({ data: Type.Object({ id: orNull, salt: orNull }) });

/** The body as JSON of that form. Raises VendorRefusal for anything else: it was not a sync server that answered. */
export function bodyOf<T extends TSchema>(
  answer: OutgoingResponse,
  expect: T,
  limits: Limits,
  origin: string,
): Static<T> {
  const bounds = { depth: limits.answer_depth, values: limits.answer_values };
  const body: unknown = brokenBound(answer.body, bounds) === null ? parsed(answer) : null;
  if (Value.Check(expect, body)) return body;
  throw noSyncServer(answer.status, origin);
}

function parsed(answer: OutgoingResponse): unknown {
  try {
    return JSON.parse(answer.text());
  } catch {
    return null;
  }
}

/** A file that is not a budget of Actual, is damaged, or is of a version with other tables. */
export function unreadable(because: string, cause?: unknown): DestinationFailure {
  return new DestinationFailure(
    'run_failed',
    `The budget cannot be read, because ${because}: open it once in a current version of Actual.`,
    { outcome: 'refused', retryable: false, cause },
  );
}

/** A file that is larger than the limit, or a budget that grows beyond it with its messages. */
export function tooLarge(): DestinationFailure {
  const message = 'The budget is larger than is accepted: raise LIMIT_BUDGET_FILE_BYTES.';
  return new DestinationFailure('run_failed', message, { outcome: 'refused', retryable: false });
}

const SQLITE_FULL = 13;

/** Runs work on an in-memory budget. Raises only DestinationFailure: errors of SQLite may repeat what it read. */
export function asUnusable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DestinationFailure) throw error;
    const isFull = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_FULL;
    throw isFull ? tooLarge() : unreadable('its file is damaged');
  }
}

interface Meaning {
  readonly code: RunFailureCode;
  readonly retryable: boolean;
  /** What happened and what to do, after the name of the server. */
  readonly said: string;
}

const MISSING: Meaning = {
  code: 'destination_resource_missing',
  retryable: false,
  said: 'does not have the budget: choose one of those that it lists.',
};
const AUTH: Meaning = {
  code: 'destination_auth_failed',
  retryable: false,
  said: 'does not accept the session: connect the destination again.',
};
const NO_PASSWORD: Meaning = {
  code: 'destination_auth_failed',
  retryable: false,
  said: 'does not accept passwords: connect the destination again with a session token.',
};
const RESET: Meaning = {
  code: 'run_failed',
  retryable: true,
  said: 'has had the sync of the budget reset meanwhile.',
};

/** The meaning of the sync server's error words. */
const BY_WORD: Readonly<Record<string, Meaning>> = {
  'invalid-password': {
    code: 'destination_auth_failed',
    retryable: false,
    said: 'does not accept the password: connect the destination again with the one that counts.',
  },
  'invalid-header': NO_PASSWORD,
  'proxy-not-trusted': NO_PASSWORD,
  'Invalid redirect URL': NO_PASSWORD,
  'user-not-found': NO_PASSWORD,
  'file-not-found': MISSING,
  'invalid fileId': MISSING,
  'User or file not found': MISSING,
  'file-has-reset': RESET,
  'file-has-new-key': RESET,
  'file-needs-upload': {
    code: 'run_failed',
    retryable: true,
    said: 'waits for the budget after a reset of its sync: open the budget in Actual once.',
  },
  'file-old-version': {
    code: 'run_failed',
    retryable: false,
    said: 'has the budget in an old format: open it in a current Actual and reset its sync.',
  },
  'file-key-mismatch': {
    code: 'run_failed',
    retryable: false,
    said: 'has the budget under two keys: reset its encryption in Actual.',
  },
};

const BY_STATUS: Readonly<Record<number, Meaning>> = {
  401: AUTH,
  403: { ...AUTH, said: 'does not allow the session to do this: connect the destination again.' },
  404: {
    code: 'run_failed',
    retryable: false,
    said: 'has no sync server of Actual at this address: check the address.',
  },
  413: {
    code: 'run_failed',
    retryable: false,
    said: 'takes no request of this size: raise ACTUAL_UPLOAD_FILE_SYNC_SIZE_LIMIT_MB there.',
  },
};

/** The final refusal for an answer outside 2xx. */
export function refusalOf(answer: OutgoingResponse, origin: string): VendorRefusal {
  const { status } = answer;
  const word = wordOf(answer);
  const meaning = BY_WORD[word] ??
    BY_STATUS[status] ?? {
      code: 'run_failed' as const,
      retryable: false,
      said:
        status < 400
          ? `answered ${status}: redirects are not followed, so give the address that it leads to.`
          : `answered ${status}.`,
    };
  return refusal(meaning, origin, status, word);
}

/** Whether the server said no in its own words, whatever the status. */
export function isRefusal(answer: OutgoingResponse): boolean {
  return wordOf(answer) !== '';
}

export function missingBudget(origin: string): VendorRefusal {
  return refusal(MISSING, origin, 400);
}

/** For an answer that is not from a sync server of Actual. */
function noSyncServer(status: number, origin: string): VendorRefusal {
  const said = 'did not answer as a sync server of Actual does: check the address.';
  return refusal({ code: 'run_failed', retryable: false, said }, origin, status);
}

/** Whether the budget was reset or got another key since it was read: reading it again helps. */
export function isReset(error: unknown): boolean {
  return error instanceof VendorRefusal && BY_WORD[error.word] === RESET;
}

function refusal(
  { code, retryable, said }: Meaning,
  origin: string,
  status: number,
  word = '',
): VendorRefusal {
  const more = { status, word, text: '', outcome: 'refused', retryable } as const;
  return new VendorRefusal(code, `${origin} ${said}`, more);
}

/** JSON with a reason, or the reason as plain text; empty for anything else. */
function wordOf(answer: OutgoingResponse): string {
  const text = answer.body.subarray(0, 500).toString('utf8');
  try {
    const body: unknown = JSON.parse(text);
    const reason = typeof body === 'object' && body !== null && 'reason' in body ? body.reason : body;
    return typeof reason === 'string' && Object.hasOwn(BY_WORD, reason) ? reason : '';
  } catch {
    return Object.hasOwn(BY_WORD, text) ? text : '';
  }
}
