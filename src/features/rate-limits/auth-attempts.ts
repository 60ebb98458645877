import type { Clock } from '../../platform/clock.ts';
import { clientNetwork } from '../../platform/network-addresses.ts';
import type { Tally } from '../../platform/window-counter.ts';
import type { LimitName, Limits } from '../../vocabulary/limits.ts';
import type { RatePool } from '../../vocabulary/rate-tiers.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { Counter } from './shared-counter.ts';

const PREFIX_CHARACTERS = 16;

/** How many requests one credential may make from one address, whether it is valid or not. */
const MOST: Readonly<Record<RatePool, LimitName>> = {
  keys: 'auth_attempts_per_minute',
  sessions: 'session_requests_per_minute',
};

/**
 * What is allowed before a caller is authenticated (docs/authentication.md#failed-attempts), for each address and key
 * prefix: all requests have a limit, and those that failed to authenticate a smaller budget. Checked before a key is
 * looked up. The same prefix from elsewhere is another bucket, so the owner of a key cannot be locked out by others.
 */
export class AuthAttempts {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #all: Readonly<Record<RatePool, Counter>>;
  readonly #failed: Counter;
  readonly #blind: (bucket: string) => string;

  /** @param deps.blind what a store may know of an address and a key prefix */
  constructor(deps: {
    readonly limits: Limits;
    readonly clock: Clock;
    readonly all: Readonly<Record<RatePool, Counter>>;
    readonly failed: Counter;
    readonly blind: (bucket: string) => string;
  }) {
    this.#limits = deps.limits;
    this.#clock = deps.clock;
    this.#all = deps.all;
    this.#failed = deps.failed;
    this.#blind = deps.blind;
  }

  /**
   * Counts a request of this address with this key ('' for none) or session; returns the bucket it is in. Raises
   * `too_many_auth_attempts`. A promise only where processes share counts.
   */
  arrive(address: string, presented: string, pool: RatePool = 'keys'): string | Promise<string> {
    const bucket = this.#blind(`${clientNetwork(address)} ${presented.slice(0, PREFIX_CHARACTERS)}`);
    const all = this.#all[pool].add(bucket);
    const failed = this.#failed.look(bucket);
    if (!(all instanceof Promise) && !(failed instanceof Promise))
      return this.#check(pool, bucket, all, failed);
    return Promise.all([all, failed]).then(([arrived, refused]) =>
      this.#check(pool, bucket, arrived, refused),
    );
  }

  /**
   * Counts towards the budget. Await a promise: only then does the next request see it. Raises `too_many_auth_attempts`
   * if concurrent requests have used up the budget: together they cannot fail more often than one after the other.
   */
  fail(bucket: string): void | Promise<void> {
    const counted = this.#failed.add(bucket);
    return counted instanceof Promise
      ? counted.then((tally) => this.#checkFailure(tally))
      : this.#checkFailure(counted);
  }

  #checkFailure(failed: Tally): void {
    if (failed.used > this.#limits.auth_failures_per_minute) throw this.#refusal(failed);
  }

  #check(pool: RatePool, bucket: string, all: Tally, failed: Tally | null): string {
    if (failed !== null && failed.used >= this.#limits.auth_failures_per_minute) throw this.#refusal(failed);
    if (all.used > this.#limits[MOST[pool]]) throw this.#refusal(all);
    return bucket;
  }

  #refusal({ resetsAt }: Tally): ServiceError {
    return new ServiceError('too_many_auth_attempts', {
      retryAfterSeconds: secondsUntil(resetsAt, this.#clock.now()),
    });
  }
}

/** Whole seconds, at least one: a request after them is in a new window. */
export function secondsUntil(resetsAt: number, now: number): number {
  return Math.max(1, Math.ceil((resetsAt - now) / 1000));
}
