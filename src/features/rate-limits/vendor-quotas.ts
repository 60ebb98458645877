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

/** Quotas of vendors, in a log that all processes share if there is a store for it. */
export class VendorQuotas implements Quotas {
  readonly #clock: Clock;
  readonly #log: QuotaLog;
  readonly #lasting: QuotaLog;
  readonly #blind: (key: string) => string;
  readonly #own: Pick<MemoryQuotaLog, 'used'> | null;
  /** Every quota that was ever used, by name. */
  readonly #amounts = new Map<string, number>();

  /**
   * @param parts.lasting a log that survives a restart, for quotas of hours; default the same log
   * @param parts.own the calls of this process, which the log also records; without them, `left` counts none
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

  /** For each quota, the calls left to the key for which this process has used the most of it. */
  left(): ReadonlyMap<string, number> {
    const used = this.#own?.used() ?? new Map<string, number>();
    return new Map(
      [...this.#amounts].map(([name, amount]) => [name, Math.max(0, amount - (used.get(name) ?? 0))]),
    );
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
      this.#amounts.set(quota.name, quota.amount);
      const bucket = `${quota.name}:${this.#blind(key)}`;
      const bounds = { amount: quota.amount, windowMs: quota.windowMs + UNEVEN_MS };
      const log = quota.windowMs >= LASTING_MS ? this.#lasting : this.#log;
      const waitMs = await log.take(bucket, `${call}:${at}`, bounds);
      if (waitMs > 0) {
        for (const [earlier, taken] of noted.entries())
          await taken.log.forget(taken.bucket, `${call}:${earlier}`);
        return { quota, waitMs };
      }
      noted.push({ log, bucket });
    }
    return null;
  }
}
