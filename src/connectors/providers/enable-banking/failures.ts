import type { Clock } from '../../../platform/clock.ts';
import { UpstreamFailure, type UpstreamSituation } from '../../../vocabulary/upstream-failures.ts';
import { inner, text, type WireObject } from '../kit/json.ts';
import { ErrorAnswer, type SaidError, type VendorErrors } from '../kit/vendor-calls.ts';

const DAY_MS = 86_400_000;
/** How long a bank is left alone that limits reads without naming a time. */
const UNNAMED_WAIT_S = 3600;

/** The code of a bank that limits reads. */
const RATE_LIMIT = 'ASPSP_RATE_LIMIT_EXCEEDED';
/** `Consent daily limit 4 is exceeded`, `ACCESS_EXCEEDED` of the Berlin Group. */
const LIMIT_WORDS = /ACCESS_EXCEEDED|\b(?:daily|consultation|frequency|rate) limit\b/i;
/** Also said by the vendor of all calls of the application, but not under the code of a bank. */
const BANK_LIMIT_WORDS = /too many requests/i;
const SESSION_WORDS = /\bsession (?:is |has )?(?:closed|expired|revoked|not found)\b/i;

/** Codes of https://enablebanking.com/docs/api/reference/#errorcode; others are read by their status. */
const CODES: readonly (readonly [RegExp, UpstreamSituation])[] = [
  [/^(EXPIRED|CLOSED|REVOKED|INVALID|REJECTED|CANCELLED)_SESSION$/, 'grant_rejected'],
  [/^SESSION_(DOES_NOT_EXIST|NOT_FOUND|EXPIRED|CLOSED)$/, 'grant_rejected'],
  [/^(WRONG_SESSION_STATUS|ASPSP_PSU_ACTION_REQUIRED)$/, 'grant_rejected'],
  [/^(ACCOUNT_DOES_NOT_EXIST|ASPSP_ACCOUNT_NOT_ACCESSIBLE)$/, 'account_gone'],
  [/^ASPSP_RATE_LIMIT_EXCEEDED$/, 'rate_limited'],
  // Not repeated: the bank may count an attempt that it failed to answer.
  [/^ASPSP_ERROR$/, 'temporarily_unavailable'],
  [/^ASPSP_TIMEOUT$/, 'gateway_timeout'],
  [/^WRONG_CONTINUATION_KEY$/, 'stale_cursor'],
  [/^(WRONG_TRANSACTIONS_PERIOD|WRONG_DATE_INTERVAL|DATE_FROM_IN_FUTURE)$/, 'bad_request'],
  [
    /^(ACCESS_DENIED|AUTHORIZATION_NOT_PROVIDED|UNAUTHORIZED_(ACCESS|IP)|REDIRECT_URI_NOT_ALLOWED)$/,
    'own_credentials',
  ],
];

/** Errors of the vendor, and of banks as it passes them on. */
export function enableBankingErrors(clock: Clock): VendorErrors {
  return {
    read: saidIn,
    codes: CODES,
    situation: (status) => {
      if (status === 408) return 'gateway_timeout';
      // Its cursors have a code of their own.
      return status === 503 ? 'server_error' : null;
    },
    wait: (_response, { codes, message }) => {
      if (!codes.includes(RATE_LIMIT)) return null;
      if (!/\bda(y|ily)\b/i.test(message ?? '')) return UNNAMED_WAIT_S;
      return Math.ceil((DAY_MS - (clock.now() % DAY_MS)) / 1000);
    },
  };
}

function saidIn(body: WireObject): SaidError {
  const named = text(body, 'error')?.toUpperCase() ?? null;
  const detail = text(body, 'detail') ?? text(inner(body, 'detail') ?? {}, 'message');
  const said = [text(body, 'message'), detail].filter((part) => part !== null);
  const message = said.length === 0 ? named : said.join(': ');
  const code = codeIn(message ?? '', named);
  return { codes: code === null ? [] : [code], message };
}

/** The code of a refusal. Some banks' are only in words, which the vendor passes on under a general code or none. */
function codeIn(message: string, named: string | null): string | null {
  if (named !== null && named !== 'ASPSP_ERROR') return named;
  if (LIMIT_WORDS.test(message) || (named !== null && BANK_LIMIT_WORDS.test(message))) return RATE_LIMIT;
  return named === null && SESSION_WORDS.test(message) ? 'CLOSED_SESSION' : named;
}

/** The bank has no transactions as old as those asked for. */
export class PeriodRefused extends UpstreamFailure {
  /** The first day that it would accept; null if it did not say. */
  readonly firstDay: string | null;

  constructor(firstDay: string | null) {
    super('bad_request', 'The bank has no transactions of so early a day.');
    this.firstDay = firstDay;
  }
}

const NO_REASON = /^It answered 400: Error interacting with ASPSP\.?$/;

/**
 * Whether a bank failed without any word of why: at some, that is how a period is refused
 * (docs/decisions/0041-enable-banking.md#history).
 */
export function isUnexplained(error: unknown): boolean {
  return error instanceof ErrorAnswer && NO_REASON.test(error.message);
}

/** How banks say it, as the vendor passes it on (docs/decisions/0041-enable-banking.md#history). */
const PERIOD = /PERIOD_INVALID|within \d+ (?:days|months|years)|out of the last \d+/i;
const DAY = /\d{4}-\d{2}-\d{2}/;

/** What an error answer says about the period of a read of transactions; null if it is about something else. */
export function periodRefused(body: WireObject): PeriodRefused | null {
  const { codes, message } = saidIn(body);
  const isAboutPeriod =
    codes.includes('WRONG_TRANSACTIONS_PERIOD') ||
    (codes.includes('ASPSP_ERROR') && PERIOD.test(message ?? ''));
  if (!isAboutPeriod) return null;
  const detail = inner(body, 'detail') ?? {};
  return new PeriodRefused(DAY.exec(text(detail, 'date_from') ?? '')?.[0] ?? null);
}
