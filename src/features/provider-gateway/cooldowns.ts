import type { Clock } from '../../platform/clock.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Capability } from '../../vocabulary/providers.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';

/** Who is read, and what of it: banks ration a balance apart from transactions. */
export interface RationedRead {
  readonly account: RowId<'account'>;
  readonly what: Capability;
}

const MOST_REMEMBERED = 10_000;

/**
 * Leaves an account alone for as long as its provider said. A read sent before that would be refused again, and some
 * providers count refused ones too. Known to this process only: another one learns it from its own first refusal.
 */
export class Cooldowns {
  readonly #clock: Clock;
  readonly #rests = new Map<string, { readonly until: number; readonly ms: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Raises UpstreamFailure `account_cooldown` while the provider wants to be left alone about this read. */
  require(read: RationedRead): void {
    const name = nameOf(read);
    const rest = this.#rests.get(name);
    if (rest === undefined) return;
    const left = rest.until - this.#clock.now();
    // A clock that was set back must not make a rest longer than the provider asked for.
    if (left <= 0 || left > rest.ms) {
      this.#rests.delete(name);
      return;
    }
    throw new UpstreamFailure(
      'account_cooldown',
      'The provider asked us to wait before reading this account again.',
      {
        retryAfterSeconds: Math.ceil(left / 1000),
      },
    );
  }

  /** Learns from a failure of the read; only one that says for how long tells anything. */
  learn(read: RationedRead, error: unknown): void {
    if (!(error instanceof UpstreamFailure) || error.situation !== 'rate_limited') return;
    if (error.retryAfterSeconds === null) return;
    if (this.#rests.size >= MOST_REMEMBERED) this.#rests.clear();
    const ms = error.retryAfterSeconds * 1000;
    this.#rests.set(nameOf(read), { until: this.#clock.now() + ms, ms });
  }
}

const nameOf = ({ account, what }: RationedRead): string => `${account} ${what}`;
