import { type RateLimiterCompatibleAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '../../platform/clock.ts';
import type { Tally, WindowCounter } from '../../platform/window-counter.ts';
import type { Counter } from './counter.ts';
import type { StoreOutage } from './store-outage.ts';

type Limiter = Pick<RateLimiterCompatibleAbstract, 'consume' | 'get'>;

/** Counts in a store that all processes share, by `rate-limiter-flexible`; in this process while the store fails. */
export class SharedCounter implements Counter {
  readonly #limiter: Limiter;
  readonly #limit: number;
  readonly #own: WindowCounter;
  readonly #outage: StoreOutage;
  readonly #clock: Clock;

  /** @param deps.limit what the limiter was built with: it refuses what is beyond */
  constructor(deps: {
    readonly limiter: Limiter;
    readonly limit: number;
    readonly own: WindowCounter;
    readonly outage: StoreOutage;
    readonly clock: Clock;
  }) {
    this.#limiter = deps.limiter;
    this.#limit = deps.limit;
    this.#own = deps.own;
    this.#outage = deps.outage;
    this.#clock = deps.clock;
  }

  add(bucket: string): Promise<Tally> {
    return this.#outage.ask(
      async () => this.#tally(await this.#consume(bucket)),
      () => this.#own.add(bucket),
    );
  }

  look(bucket: string): Promise<Tally | null> {
    return this.#outage.ask(
      async () => {
        const found = await this.#limiter.get(bucket);
        return found === null || found.msBeforeNext <= 0 ? null : this.#tally(found);
      },
      () => this.#own.look(bucket),
    );
  }

  async #consume(bucket: string): Promise<RateLimiterRes> {
    try {
      return await this.#limiter.consume(bucket);
    } catch (thrown) {
      if (!(thrown instanceof RateLimiterRes)) throw thrown;
      // Refused without asking the store, it does not know how much was counted: more than allowed.
      return thrown.consumedPoints > this.#limit
        ? thrown
        : new RateLimiterRes(0, thrown.msBeforeNext, this.#limit + 1);
    }
  }

  #tally({ consumedPoints, msBeforeNext }: RateLimiterRes): Tally {
    return { used: consumedPoints, resetsAt: this.#clock.now() + Math.max(0, msBeforeNext) };
  }
}
