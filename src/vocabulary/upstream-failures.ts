import type { ErrorCode } from './error-codes.ts';

/**
 * The only mapping from what went wrong upstream to the code that a caller sees. An adapter names the situation; the
 * gateway and every surface look up the rest here. `retry`: whether a read is retried before the failure is reported.
 * `breaker`: what it counts against. `invalidates`: whether the connection's grant is known to be invalid. `call`: what
 * it says about the provider.
 */
/**
 * `bank`: the institution's breaker, for everyone. `owners`: the same once reads of several account records have failed
 * this way, and the account's own before that. `account`: only the account's own, as it says nothing about the bank.
 */
type CountsAgainst = 'bank' | 'owners' | 'account' | false;

/**
 * What an outcome of a call says about the provider, which alerts go by. `failed`: it did not do what was asked of it.
 * `refused`: it does not accept the operator's credentials, which one answer is enough to know. `answered`: it did its
 * part, as when it rejects a consent that its owner withdrew, or more reads than it allows.
 */
export const CALL_VERDICTS = ['answered', 'failed', 'refused'] as const;
/** `not_made`: it says nothing, since no call was made, or the caller left. */
export type CallVerdict = (typeof CALL_VERDICTS)[number] | 'not_made';

interface UpstreamRow {
  readonly code: ErrorCode;
  readonly status?: number;
  readonly retry: boolean;
  readonly breaker: CountsAgainst;
  readonly invalidates: boolean;
  readonly call: CallVerdict;
}

const row = (code: ErrorCode, more: Partial<Omit<UpstreamRow, 'code'>> = {}): UpstreamRow => ({
  code,
  retry: false,
  breaker: false,
  invalidates: false,
  call: 'failed',
  ...more,
});

export const UPSTREAM_FAILURES = {
  account_cooldown: row('provider_wait', { status: 429, call: 'not_made' }),
  pool_full: row('provider_wait', { status: 503, call: 'not_made' }),
  breaker_open: row('upstream_unavailable', { call: 'not_made' }),
  deadline: row('upstream_timeout', { breaker: 'owners' }),
  connect: row('upstream_unavailable', { retry: true, breaker: 'bank' }),
  rate_limited: row('upstream_rate_limited', { call: 'answered' }),
  not_ready: row('provider_wait', { status: 503, call: 'answered' }),
  own_credentials: row('upstream_failed', { call: 'refused' }),
  grant_rejected: row('upstream_auth_failed', { invalidates: true, call: 'answered' }),
  account_gone: row('account_unavailable', { call: 'answered' }),
  temporarily_unavailable: row('upstream_unavailable'),
  bad_request: row('upstream_bad_request', { call: 'answered' }),
  stale_cursor: row('upstream_failed', { call: 'answered' }),
  not_implemented: row('not_supported', { call: 'answered' }),
  server_error: row('upstream_unavailable', { retry: true, breaker: 'bank' }),
  gateway_timeout: row('upstream_timeout', { retry: true, breaker: 'owners' }),
  malformed: row('upstream_failed', { breaker: 'account' }),
  other: row('upstream_failed'),
  live_balance_too_soon: row('balance_refresh_limited', { call: 'not_made' }),
} as const satisfies Record<string, UpstreamRow>;

export type UpstreamSituation = keyof typeof UPSTREAM_FAILURES;

/** How a call to a provider ends: `aborted` where its caller left, `fault` by an error of our own. */
export type CallOutcome = 'ok' | 'aborted' | 'fault' | UpstreamSituation;

export function callVerdict(outcome: CallOutcome): CallVerdict {
  switch (outcome) {
    case 'ok':
      return 'answered';
    case 'aborted':
    case 'fault':
      return 'not_made';
    default:
      return UPSTREAM_FAILURES[outcome].call;
  }
}

/** Raised by adapters and the gateway. `message` is already scrubbed and safe to show to the connection's owner. */
export class UpstreamFailure extends Error {
  readonly situation: UpstreamSituation;
  readonly retryAfterSeconds: number | null;

  constructor(
    situation: UpstreamSituation,
    message: string,
    options: { retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'UpstreamFailure';
    this.situation = situation;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}
