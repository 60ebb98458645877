import type { Clock } from '../../platform/clock.ts';
import type { Tally } from '../../platform/window-counter.ts';

/**
 * A block is at most this part of what is left of a limit: what a process took and does not use is lost to the others
 * until the window ends. Below this number every request is counted in the store.
 */
const BLOCK_PART = 32;

/** How long a process uses what it was answered before it asks again. */
const FRESH_MS = 1_000;

/** What this process knows of a bucket. */
interface Bucket {
  /** Counts that were taken from the store and are not used yet. */
  left: number;
  /** How many of the limit all processes had taken from the store, by its last answer. */
  taken: number;
  /** The most that callers were shown as used in this window. */
  shown: number;
  /** When the window ends: at the earliest, until when a block may be used, and at the latest, for callers. */
  until: number;
  resetsAt: number;
  /** When the store was asked for what is known. */
  askedAt: number;
  /** Requests since the last block was asked for, and when that was. */
  requests: number;
  measuredAt: number;
  /** Whether a block is being asked for; there is one at a time. */
  asking: boolean;
}

/** A question to the store: how many counts to take. Pass it to `answered` or to `failed`. */
export interface BlockRequest {
  readonly at: number;
  readonly points: number;
  readonly block: boolean;
}

/** What the store answered; `consumed` is null if it refused without saying how many were taken. */
export interface StoreAnswer {
  readonly consumed: number | null;
  readonly msBeforeNext: number;
}

export interface CountBlocksOptions {
  readonly limit: number;
  readonly windowMs: number;
  readonly clock: Clock;
  /** The oldest are dropped beyond, those with a block last. */
  readonly maxBuckets: number;
  /** False if every request has to be counted in the store. */
  readonly blocks: boolean;
}

/**
 * Counts that this process took from the shared store in blocks, to use without asking it for each request. They are
 * deducted there first, so that all processes together never exceed the limit. A block is about what the bucket needs in
 * a second, and no more than BLOCK_PART allows; a bucket with less than a request a second has none.
 */
export class CountBlocks {
  readonly #options: CountBlocksOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: CountBlocksOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** Counts one from the block of the bucket; null if the store has to be asked. */
  spend(bucket: string): Tally | null {
    const known = this.#buckets.get(bucket);
    if (known === undefined || known.left === 0) return null;
    const now = this.#options.clock.now();
    if (!isFresh(known, now) || !this.#inWindow(known, now)) return null;
    known.requests += 1;
    return spendOf(known);
  }

  /** Whether the store answered within the last second that nothing was counted in the bucket, and this process did not since. */
  isEmpty(bucket: string): boolean {
    const known = this.#buckets.get(bucket);
    return known !== undefined && known.taken === 0 && isFresh(known, this.#options.clock.now());
  }

  /** @param askedAt when the store was asked */
  foundEmpty(bucket: string, askedAt: number): void {
    const known = this.#buckets.get(bucket);
    if (known !== undefined && (known.askedAt > askedAt || this.#inWindow(known, askedAt))) return;
    const found = { until: askedAt, resetsAt: askedAt, askedAt, measuredAt: askedAt };
    this.#keep(bucket, { left: 0, taken: 0, shown: 0, requests: 0, asking: false, ...found });
  }

  /** What to ask the store for: a count for this request, and a block if the bucket needs one. */
  ask(bucket: string): BlockRequest {
    const at = this.#options.clock.now();
    const known = this.#buckets.get(bucket);
    if (known === undefined || !this.#options.blocks) return { at, points: 1, block: false };
    known.requests += 1;
    // A block outside of what this process knows as the window would be of no use to it, and be missed by the others.
    if (known.asking || !this.#inWindow(known, at)) return { at, points: 1, block: false };
    const points = 1 + this.#blockSize(known, at);
    known.asking = true;
    known.requests = 0;
    known.measuredAt = at;
    return { at, points, block: true };
  }

  failed(bucket: string, { block }: BlockRequest): void {
    const known = this.#buckets.get(bucket);
    if (block && known !== undefined) known.asking = false;
  }

  /** Counts the request by what the store answered. */
  answered(bucket: string, request: BlockRequest, { consumed, msBeforeNext }: StoreAnswer): Tally {
    this.failed(bucket, request);
    const { limit, windowMs, clock, blocks } = this.#options;
    const now = clock.now();
    const before = consumed === null ? limit : consumed - request.points;
    const granted = Math.min(request.points, Math.max(0, limit - before));
    const taken = Math.min(limit, before + request.points);
    const until = request.at + msBeforeNext;
    const resetsAt = now + msBeforeNext;
    const refused = { used: Math.max(limit, before) + 1, resetsAt };
    const alone = granted === 0 ? refused : { used: before + 1, resetsAt };
    const known = this.#buckets.get(bucket);
    const waited = now - request.at;
    // A slow answer does not say in which window it was given.
    if (waited < 0 || waited > windowMs / 4) {
      this.#buckets.delete(bucket);
      return alone;
    }
    const same = known !== undefined && Math.abs(until - known.until) < windowMs / 2;
    if (known !== undefined && !same && until < known.until && this.#inWindow(known, now)) return alone;
    const next: Bucket = {
      left: blocks ? (same ? known.left : 0) + granted : 0,
      taken: same ? Math.max(known.taken, taken) : taken,
      shown: same ? known.shown : 0,
      until: same ? Math.min(known.until, until) : until,
      resetsAt,
      askedAt: request.at,
      requests: known?.requests ?? 0,
      measuredAt: known?.measuredAt ?? request.at,
      asking: known?.asking ?? false,
    };
    this.#keep(bucket, next);
    // Without blocks, what others took since then must not count against this request.
    if (!blocks) return alone;
    return next.left === 0 ? refused : spendOf(next);
  }

  #blockSize(known: Bucket, now: number): number {
    const since = now - known.measuredAt;
    const wanted = since < FRESH_MS ? known.requests * 2 : Math.floor((known.requests * FRESH_MS) / since);
    const remaining = this.#options.limit - known.taken;
    return Math.max(0, Math.min(wanted, Math.floor(remaining / BLOCK_PART)) - known.left);
  }

  /**
   * A clock that was set back must not keep a block for longer than a window lasts. One that is behind that of the
   * process which opened the window, by which Postgres counts, sees the window begin that much later.
   */
  #inWindow({ until }: Bucket, now: number): boolean {
    return now < until && until - now <= this.#options.windowMs;
  }

  /** Kept in the order in which the store was asked. Many are dropped at once, for the reason that WindowCounter has. */
  #keep(bucket: string, known: Bucket): void {
    this.#buckets.delete(bucket);
    this.#buckets.set(bucket, known);
    if (this.#buckets.size <= this.#options.maxBuckets) return;
    const enough = Math.floor(this.#options.maxBuckets * 0.75);
    // Those without a block first: what is left of a block is lost with it.
    for (const most of [0, Number.POSITIVE_INFINITY]) {
      for (const [oldest, { left }] of this.#buckets) {
        if (this.#buckets.size <= enough) return;
        if (left <= most) this.#buckets.delete(oldest);
      }
    }
  }
}

function spendOf(known: Bucket): Tally {
  known.left -= 1;
  // Answers may come in another order than the store gave them in.
  known.shown = Math.max(known.shown, known.taken - known.left);
  return { used: known.shown, resetsAt: known.resetsAt };
}

function isFresh({ askedAt }: Bucket, now: number): boolean {
  return now >= askedAt && now - askedAt < FRESH_MS;
}
