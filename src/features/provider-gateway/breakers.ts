import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import type { ProviderIdentifier } from '../../vocabulary/providers.ts';
import { UPSTREAM_FAILURES, UpstreamFailure } from '../../vocabulary/upstream-failures.ts';

export interface BreakerSettings {
  /** Failures in a row that open a breaker. */
  readonly failures: number;
  /** How long nothing is asked then, before one read may try. */
  readonly restMs: number;
}

export const BREAKER_SETTINGS: BreakerSettings = { failures: 5, restMs: 30_000 };

/**
 * Stops asking a party that keeps failing, so that its callers hear at once and it can recover. One breaker for each
 * institution, so that a bank's outage does not cut off the others; one for each provider, which only failures to
 * connect can open, since those say nothing about a single bank.
 */
export class Breakers {
  readonly #settings: BreakerSettings;
  readonly #breakers = new Map<string, CircuitBreakerPolicy>();

  constructor(settings: BreakerSettings = BREAKER_SETTINGS) {
    this.#settings = settings;
  }

  /** Runs `work` unless a breaker is open. Raises UpstreamFailure `breaker_open`, or what `work` raised. */
  async run<T>(provider: ProviderIdentifier, institution: string | null, work: () => Promise<T>): Promise<T> {
    const outer = this.#breaker(provider, (failure) => failure.situation === 'connect');
    const inner =
      institution === null
        ? null
        : this.#breaker(
            `${provider} ${institution}`,
            (failure) => UPSTREAM_FAILURES[failure.situation].breaker,
          );
    try {
      return await outer.execute(() => (inner === null ? work() : inner.execute(work)));
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error;
      throw new UpstreamFailure('breaker_open', 'It failed several times in a row; calls to it are paused.', {
        retryAfterSeconds: Math.ceil(this.#settings.restMs / 1000),
      });
    }
  }

  #breaker(key: string, counts: (failure: UpstreamFailure) => boolean): CircuitBreakerPolicy {
    const known = this.#breakers.get(key);
    if (known !== undefined) return known;
    const breaker = circuitBreaker(
      handleWhen((error) => error instanceof UpstreamFailure && counts(error)),
      { halfOpenAfter: this.#settings.restMs, breaker: new ConsecutiveBreaker(this.#settings.failures) },
    );
    this.#breakers.set(key, breaker);
    return breaker;
  }
}
