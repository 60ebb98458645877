import { type RateLimiterCompatibleAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Tally, WindowCounter } from '../../platform/window-counter.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { CountBlocks, StoreAnswer } from './count-blocks.ts';

/**
 * Counts per bucket in fixed windows. It returns at once unless a store has to be asked, so that a caller that needs none
 * never waits.
 */
export interface Counter {
  /** Counts one in the bucket. */
  add(bucket: string): Tally | Promise<Tally>;
  /** The current tally, without counting; null if there is none. */
  look(bucket: string): Tally | null | Promise<Tally | null>;
}

/** The length of the windows of all rate limits (docs/limits.md: a minute). */
export const WINDOW_SECONDS = 60;

const LEAVE_ALONE_MS = 5_000;

/**
 * Handles failures of the store in which processes share their counts: this process counts on its own, so that requests
 * are neither unlimited nor refused, and tries the store again after 5 seconds.
 */
export class StoreOutage {
  readonly #clock: Clock;
  readonly #log: Pick<Log, 'warn'>;
  readonly #deadlineMs: number;
  #until = 0;

  /** @param deadlineMs how long a request waits for the store (`count_store_deadline_ms`) */
  constructor(clock: Clock, log: Pick<Log, 'warn'>, deadlineMs: number) {
    this.#clock = clock;
    this.#log = log;
    this.#deadlineMs = deadlineMs;
  }

  /** The store's answer, or `instead` if it fails or has failed recently. */
  async ask<T>(store: () => Promise<T>, instead: () => T): Promise<T> {
    if (this.#lasts()) return instead();
    try {
      return await withTimeout(store(), this.#deadlineMs);
    } catch (error) {
      // Everything that was waiting fails at the same time; it is logged once.
      if (!this.#lasts())
        this.#log.warn('Shared rate-limit store failing; each process counts for itself.', {}, error);
      this.#until = this.#clock.now() + LEAVE_ALONE_MS;
      return instead();
    }
  }

  /** A clock that was set back must not leave the store alone for longer. */
  #lasts(): boolean {
    const left = this.#until - this.#clock.now();
    return left > 0 && left <= LEAVE_ALONE_MS;
  }
}

type Limiter = Pick<RateLimiterCompatibleAbstract, 'consume' | 'get'>;

/**
 * Counts in a store that all processes share, by `rate-limiter-flexible`: in blocks that this process takes from it where
 * `blocks` says so, else each request. In this process while the store fails.
 */
export class SharedCounter implements Counter {
  readonly #limiter: Limiter;
  readonly #limit: number;
  readonly #blocks: CountBlocks;
  readonly #own: WindowCounter;
  readonly #outage: StoreOutage;
  readonly #clock: Clock;

  /** @param deps.limit what the limiter was built with: it refuses anything beyond */
  constructor(deps: {
    readonly limiter: Limiter;
    readonly limit: number;
    readonly blocks: CountBlocks;
    readonly own: WindowCounter;
    readonly outage: StoreOutage;
    readonly clock: Clock;
  }) {
    this.#limiter = deps.limiter;
    this.#limit = deps.limit;
    this.#blocks = deps.blocks;
    this.#own = deps.own;
    this.#outage = deps.outage;
    this.#clock = deps.clock;
  }

  add(bucket: string): Tally | Promise<Tally> {
    return this.#blocks.spend(bucket) ?? this.#ask(bucket);
  }

  /** That nothing was counted may be known from up to a second ago; a count is that of the store. */
  look(bucket: string): Tally | null | Promise<Tally | null> {
    return this.#blocks.isEmpty(bucket) ? null : this.#look(bucket);
  }

  async #ask(bucket: string): Promise<Tally> {
    const request = this.#blocks.ask(bucket);
    const answer = await this.#outage.ask(
      () => this.#consume(bucket, request.points),
      () => null,
    );
    if (answer !== null) return this.#blocks.answered(bucket, request, answer);
    this.#blocks.failed(bucket, request);
    return this.#own.add(bucket);
  }

  #look(bucket: string): Promise<Tally | null> {
    const askedAt = this.#clock.now();
    return this.#outage.ask(
      async () => {
        const found = await this.#limiter.get(bucket);
        if (found !== null && found.msBeforeNext > 0)
          return { used: found.consumedPoints, resetsAt: this.#clock.now() + found.msBeforeNext };
        this.#blocks.foundEmpty(bucket, askedAt);
        return null;
      },
      () => this.#own.look(bucket),
    );
  }

  async #consume(bucket: string, points: number): Promise<StoreAnswer> {
    try {
      return answerOf(await this.#limiter.consume(bucket, points));
    } catch (thrown) {
      if (!(thrown instanceof RateLimiterRes)) throw thrown;
      // Refused without querying the store, so the exact count is unknown: more than allowed.
      return thrown.consumedPoints > this.#limit ? answerOf(thrown) : { ...answerOf(thrown), consumed: null };
    }
  }
}

function answerOf({ consumedPoints, msBeforeNext }: RateLimiterRes): StoreAnswer {
  return { consumed: consumedPoints, msBeforeNext: Math.max(0, msBeforeNext) };
}
