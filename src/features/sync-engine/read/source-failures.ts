import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { AttentionCode, RunFailureCode } from '../../../vocabulary/syncs.ts';

/** What an account that could not be read means for its run and for the person. */
export interface SourceFailure {
  readonly code: RunFailureCode;
  readonly retryable: boolean;
  readonly attention: AttentionCode;
}

const TABLE: Partial<Record<ErrorCode, SourceFailure>> = {
  upstream_auth_failed: { code: 'run_failed', retryable: false, attention: 'connection_lost' },
  account_unavailable: { code: 'run_failed', retryable: false, attention: 'account_unavailable' },
  upstream_bad_request: { code: 'run_failed', retryable: false, attention: 'run_failed' },
  not_supported: { code: 'run_failed', retryable: false, attention: 'run_failed' },
  upstream_failed: { code: 'run_failed', retryable: true, attention: 'data_invalid' },
  upstream_rate_limited: { code: 'rate_limited', retryable: true, attention: 'run_failed' },
  provider_wait: { code: 'rate_limited', retryable: true, attention: 'run_failed' },
  upstream_timeout: { code: 'timeout', retryable: true, attention: 'run_failed' },
};
const OTHER: SourceFailure = { code: 'run_failed', retryable: true, attention: 'run_failed' };

/** Whose consent ended has to give a new one; a connection that is lost without that is the bank's doing. */
const CONSENT_ENDED: SourceFailure = { code: 'run_failed', retryable: false, attention: 'consent_expired' };

/** A single account's failure as its run would report it. `consentEnded`: the consent behind it expired or was withdrawn. */
export function sourceFailure(code: ErrorCode, consentEnded: boolean): SourceFailure {
  return consentEnded ? CONSENT_ENDED : (TABLE[code] ?? OTHER);
}

/**
 * The failure that speaks for a run in which several accounts failed: one that needs a person before one that passes
 * by itself, and what is known in detail before what is not.
 */
export function mostTelling(failures: readonly SourceFailure[]): SourceFailure | null {
  const needsPerson = failures.filter((failure) => !failure.retryable);
  const pool = needsPerson.length > 0 ? needsPerson : failures;
  return pool.find((failure) => failure.attention !== 'run_failed') ?? pool[0] ?? null;
}
