import type { Clock } from '../../platform/clock.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';
import type { Pauses, RationedRead } from './gateway-options.ts';

/**
 * Leaves an account alone for as long as its provider said. A read sent before that would be refused again, and some
 * providers count refused ones too.
 */
export class Cooldowns {
  readonly #clock: Clock;
  readonly #pauses: Pauses;

  constructor(clock: Clock, pauses: Pauses = new MemoryPauses()) {
    this.#clock = clock;
    this.#pauses = pauses;
  }

  /** Raises UpstreamFailure `account_cooldown` while the provider wants to be left alone about this read. */
  async require(read: RationedRead): Promise<void> {
    const pause = await this.#pauses.of(read);
    if (pause === null) return;
    const left = pause.until - this.#clock.now();
    // A clock that was set back must not make a pause longer than the provider asked for.
    if (left <= 0 || left > pause.until - pause.since) return;
    throw new UpstreamFailure(
      'account_cooldown',
      'The provider asked us to wait before reading this account again.',
      { retryAfterSeconds: Math.ceil(left / 1000) },
    );
  }

  /** Notes for how long a failure of the read asks for a pause; only one that says so asks for any. */
  async learn(read: RationedRead, error: unknown): Promise<void> {
    if (!(error instanceof UpstreamFailure) || error.situation !== 'rate_limited') return;
    if (error.retryAfterSeconds === null) return;
    const since = this.#clock.now();
    await this.#pauses.note(read, { since, until: since + error.retryAfterSeconds * 1000 });
  }
}

const MOST_REMEMBERED = 10_000;

class MemoryPauses implements Pauses {
  readonly #pauses = new Map<string, { readonly since: number; readonly until: number }>();

  async of(read: RationedRead): Promise<{ readonly since: number; readonly until: number } | null> {
    return this.#pauses.get(nameOf(read)) ?? null;
  }

  async note(read: RationedRead, pause: { readonly since: number; readonly until: number }): Promise<void> {
    if (this.#pauses.size >= MOST_REMEMBERED) this.#pauses.clear();
    this.#pauses.set(nameOf(read), pause);
  }
}

const nameOf = ({ account, what }: RationedRead): string => `${account} ${what}`;
