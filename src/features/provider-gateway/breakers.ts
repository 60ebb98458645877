import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import { withoutRetryBudget } from '../../platform/retry-budget.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { ProviderIdentifier } from '../../vocabulary/providers.ts';
import { UPSTREAM_FAILURES, UpstreamFailure } from '../../vocabulary/upstream-failures.ts';
import type { CallOwner } from './concurrency-limit.ts';

export interface BreakerSettings {
  /** Failures in a row that open a breaker. */
  readonly failures: number;
  /** How long nothing is asked then, before one read may try. */
  readonly restMs: number;
}

export const BREAKER_SETTINGS: BreakerSettings = { failures: 5, restMs: 30_000 };

/** Breakers of accounts that are kept; beyond that, the ones least recently used are dropped unless they are open. */
const ACCOUNTS = 5_000;

/** Who is asked, and for which account or connection. */
export interface BreakerCall {
  readonly provider: ProviderIdentifier;
  readonly institution: string | null;
  readonly owner: CallOwner;
  /** What a failure of this caller alone counts for; null for a call that is about none. */
  readonly about: RowId<'account'> | RowId<'connection'> | null;
}

/**
 * Stops asking an integration that keeps failing, so that its callers hear at once and it can recover. One breaker for each
 * institution, so that a bank's outage does not cut off the others; one for each provider, which only failures to
 * connect can open, since those say nothing about a single bank; and one for each account, for failures that say nothing
 * about the bank, so that one owner's trouble is never another's (`breaker` in vocabulary/upstream-failures.ts).
 */
export class Breakers {
  readonly #settings: BreakerSettings;
  readonly #shared = new Map<string, CircuitBreakerPolicy>();
  readonly #accounts = new Map<string, CircuitBreakerPolicy>();
  /** By institution: the owner whose reads alone timed out since the last answer; null once there were several. */
  readonly #timedOut = new Map<string, CallOwner>();
  /** Failures that count for the institution. */
  readonly #counted = new WeakSet<UpstreamFailure>();

  constructor(settings: BreakerSettings = BREAKER_SETTINGS) {
    this.#settings = settings;
  }

  /**
   * Runs `work` unless a breaker is open. Raises UpstreamFailure `breaker_open`, or what `work` raised. Others wait for a
   * call that tries whether a provider is back, so it has no retry budget.
   */
  async run<T>(call: BreakerCall, work: () => Promise<T>): Promise<T> {
    const { provider, institution, about } = call;
    const ofProvider = this.#sharedBreaker(provider, ({ situation }) => situation === 'connect');
    const ofBank =
      institution === null
        ? null
        : this.#sharedBreaker(`${provider} ${institution}`, (failure) => this.#counted.has(failure));
    const ofAccount = about === null ? null : this.#accountBreaker(about);
    const tries = [ofProvider, ofBank, ofAccount].some(
      (breaker) => breaker !== null && breaker.state !== CircuitState.Closed,
    );
    try {
      return await ofProvider.execute(() =>
        through(ofBank, () =>
          through(ofAccount, () => this.#noted(call, tries ? () => withoutRetryBudget(work) : work)),
        ),
      );
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      throw new UpstreamFailure('breaker_open', 'It failed several times in a row; calls to it are paused.', {
        retryAfterSeconds: Math.ceil(this.#settings.restMs / 1000),
      });
    }
  }

  /** Notes of a failure whether it says something about the bank. */
  async #noted<T>({ provider, institution, owner }: BreakerCall, work: () => Promise<T>): Promise<T> {
    const bank = `${provider} ${institution}`;
    try {
      const result = await work();
      this.#timedOut.delete(bank);
      return result;
    } catch (error) {
      if (error instanceof UpstreamFailure) {
        const { breaker } = UPSTREAM_FAILURES[error.situation];
        if (breaker === 'bank' || (breaker === 'owners' && this.#severalTimedOut(bank, owner)))
          this.#counted.add(error);
      }
      throw error;
    }
  }

  #severalTimedOut(bank: string, owner: CallOwner): boolean {
    const only = this.#timedOut.get(bank);
    if (only === undefined) this.#timedOut.set(bank, owner);
    else if (only !== owner) this.#timedOut.set(bank, null);
    return this.#timedOut.get(bank) === null;
  }

  #sharedBreaker(key: string, counts: (failure: UpstreamFailure) => boolean): CircuitBreakerPolicy {
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const breaker = this.#breaker(counts);
    this.#shared.set(key, breaker);
    return breaker;
  }

  #accountBreaker(about: string): CircuitBreakerPolicy {
    const breaker =
      this.#accounts.get(about) ??
      this.#breaker(({ situation }) => UPSTREAM_FAILURES[situation].breaker !== false);
    this.#accounts.delete(about);
    this.#accounts.set(about, breaker);
    if (this.#accounts.size > ACCOUNTS) {
      const idle = [...this.#accounts].find(([, { state }]) => state === CircuitState.Closed);
      this.#accounts.delete(idle?.[0] ?? this.#accounts.keys().next().value ?? '');
    }
    return breaker;
  }

  #breaker(counts: (failure: UpstreamFailure) => boolean): CircuitBreakerPolicy {
    return circuitBreaker(
      handleWhen((error) => error instanceof UpstreamFailure && counts(error)),
      { halfOpenAfter: this.#settings.restMs, breaker: new ConsecutiveBreaker(this.#settings.failures) },
    );
  }
}

function through<T>(breaker: CircuitBreakerPolicy | null, work: () => Promise<T>): Promise<T> {
  return breaker === null ? work() : breaker.execute(work);
}
