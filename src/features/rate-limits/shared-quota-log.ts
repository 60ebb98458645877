import type { MemoryQuotaLog } from './memory-quota-log.ts';
import type { QuotaBounds, QuotaLog } from './quota-log.ts';
import type { StoreOutage } from './store-outage.ts';

/** Calls of all processes, in a store; those of this process while the store fails. */
export class SharedQuotaLog implements QuotaLog {
  readonly #store: QuotaLog;
  readonly #own: MemoryQuotaLog;
  readonly #outage: StoreOutage;

  constructor(deps: {
    readonly store: QuotaLog;
    readonly own: MemoryQuotaLog;
    readonly outage: StoreOutage;
  }) {
    this.#store = deps.store;
    this.#own = deps.own;
    this.#outage = deps.outage;
  }

  take(key: string, call: string, bounds: QuotaBounds): Promise<number> {
    return this.#outage.ask(
      async () => {
        const wait = await this.#store.take(key, call, bounds);
        // Where the store fails next, this process knows at least its own calls.
        if (wait === 0) this.#own.note(key, call, bounds.windowMs);
        return wait;
      },
      () => this.#own.take(key, call, bounds),
    );
  }

  forget(key: string, call: string): Promise<void> {
    this.#own.forget(key, call);
    return this.#outage.ask(
      async () => this.#store.forget(key, call),
      () => undefined,
    );
  }
}
