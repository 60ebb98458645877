import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import { type Quota, QuotaSpent, type Quotas, type QuotaUse } from '../../platform/quotas.ts';
import type { MemoryQuotaLog, QuotaLog } from './quota-log.ts';

/** At most this much is added to each wait, so that callers who waited for the same slot do not return together. */
const SPREAD_MS = 50;
/** Calls reach a vendor some varying time after they were counted: each counts this much longer. */
const UNEVEN_MS = 100;

/** A quota with a window this long outlives a restart of the service, of Redis, and a crash of the database. */
const LASTING_MS = 3_600_000;

/** That the log refused a call. `until`: epoch milliseconds, when the next one may be made. */
interface FullQuota {
  readonly waitMs: number;
  readonly until: number;
}

/** Of each quota, the waits of so many of its buckets are known. */
const MOST_WAITING = 1_000;

/** `waitSeconds`: until the next call may be made; 0 if one may be made now. `per`: whom it limits at a time. */
export interface QuotaState {
  readonly per: 'service' | 'holder';
  readonly left: number;
  readonly waitSeconds: number;
}

/** Quotas of vendors, in a log that all processes share if there is a store for it. */
export class VendorQuotas implements Quotas {
  readonly #clock: Clock;
  readonly #log: QuotaLog;
  readonly #lasting: QuotaLog;
  readonly #blind: (key: string) => string;
  readonly #own: Pick<MemoryQuotaLog, 'used'> | null;
  /** Every quota that was ever used, by name. */
  readonly #quotas = new Map<string, Quota>();
  /** By the name of a quota and by bucket, the last refusal of the log. */
  readonly #full = new Map<string, Map<string, FullQuota>>();

  /**
   * @param parts.lasting a log that survives a restart, for quotas of hours; default the same log
   * @param parts.own the calls of this process, which the log also records; without them, `state` counts none
   */
  constructor(
    clock: Clock,
    parts: {
      readonly log: QuotaLog;
      readonly lasting?: QuotaLog;
      readonly own?: Pick<MemoryQuotaLog, 'used'>;
      readonly blind: (key: string) => string;
    },
  ) {
    this.#clock = clock;
    this.#log = parts.log;
    this.#lasting = parts.lasting ?? parts.log;
    this.#blind = parts.blind;
    this.#own = parts.own ?? null;
  }

  /**
   * What is known of each quota, for the key with the least of it. The log that all processes share tells only whether
   * a call may be made, so until it refuses one, calls of other processes are missing from `left`.
   */
  state(): ReadonlyMap<string, QuotaState> {
    const used = this.#own?.used() ?? new Map<string, number>();
    return new Map(
      [...this.#quotas].map(([name, { amount, shared }]) => {
        const waitMs = this.#longestWaitMs(name);
        const left = waitMs > 0 ? 0 : Math.max(0, amount - (used.get(name) ?? 0));
        return [name, { per: shared === true ? 'service' : 'holder', left, waitSeconds: waitMs / 1000 }];
      }),
    );
  }

  /** How many waits are remembered. */
  get waiting(): number {
    return [...this.#full.values()].reduce((sum, buckets) => sum + buckets.size, 0);
  }

  #longestWaitMs(name: string): number {
    const buckets = this.#full.get(name) ?? new Map<string, FullQuota>();
    let longest = 0;
    for (const [bucket, { until, waitMs }] of buckets) {
      const left = until - this.#clock.now();
      // A clock that was set back must not make a wait longer than the log said.
      if (left <= 0 || left > waitMs) buckets.delete(bucket);
      else longest = Math.max(longest, left);
    }
    return longest;
  }

  #refused({ name }: Quota, bucket: string, waitMs: number): void {
    const buckets = this.#full.get(name) ?? new Map<string, FullQuota>();
    this.#full.set(name, buckets);
    buckets.delete(bucket);
    const [oldest] = buckets.keys();
    if (oldest !== undefined && buckets.size >= MOST_WAITING) buckets.delete(oldest);
    buckets.set(bucket, { waitMs, until: this.#clock.now() + waitMs });
  }

  async take(uses: readonly QuotaUse[], longestWaitMs: number, signal: AbortSignal): Promise<void> {
    const end = this.#clock.now() + longestWaitMs;
    for (;;) {
      signal.throwIfAborted();
      const full = await this.#noted(uses);
      if (full === null) return;
      if (this.#clock.now() + full.waitMs > end) throw new QuotaSpent(full.quota, full.waitMs);
      await this.#clock.sleep(full.waitMs + Math.random() * SPREAD_MS, signal);
    }
  }

  /** Records the call in all quotas or in none: a call that waits for one of them must not count in another. */
  async #noted(
    uses: readonly QuotaUse[],
  ): Promise<{ readonly quota: Quota; readonly waitMs: number } | null> {
    const call = randomUUID();
    const noted: { readonly log: QuotaLog; readonly bucket: string }[] = [];
    for (const [at, { quota, key }] of uses.entries()) {
      this.#quotas.set(quota.name, quota);
      const bucket = `${quota.name}:${this.#blind(key)}`;
      const bounds = { amount: quota.amount, windowMs: quota.windowMs + UNEVEN_MS };
      const log = quota.windowMs >= LASTING_MS ? this.#lasting : this.#log;
      const waitMs = await log.take(bucket, `${call}:${at}`, bounds);
      if (waitMs > 0) {
        this.#refused(quota, bucket, waitMs);
        for (const [earlier, taken] of noted.entries())
          await taken.log.forget(taken.bucket, `${call}:${earlier}`);
        return { quota, waitMs };
      }
      this.#full.get(quota.name)?.delete(bucket);
      noted.push({ log, bucket });
    }
    return null;
  }
}
