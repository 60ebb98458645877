import { randomUUID } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { HeavySlot, HeavySlots, MemorySlots, SlotLevel } from './heavy-slots.ts';
import type { StoreOutage } from './shared-counter.ts';

/** In another process a slot may be about to be released: its answer was sent, and the release is in flight. */
const ASK_AGAIN_MS = 50;

/** Two renewals may fail before a lease ends. */
const RENEWALS = 3;

/** Where processes record which slots are taken. Each record expires, in case its process dies. */
export interface SlotStore {
  /**
   * Records the lease if every level has a slot free, in one step. Otherwise returns the index of the first level that
   * has none, else null.
   */
  take(accountRecord: string, lease: Lease, leaseMs: number): Promise<number | null>;
  free(accountRecord: string, leases: readonly Lease[]): Promise<void>;
  /** Makes the leases that are still recorded last for `leaseMs` from now; one that was freed meanwhile stays freed. */
  renew(leases: ReadonlyMap<string, ReadonlySet<Lease>>, leaseMs: number): Promise<void>;
}

export interface Lease {
  /** Unique. */
  readonly name: string;
  /** From the narrowest to the widest. */
  readonly levels: readonly LeaseLevel[];
}

/** A level, as a store sees it: `part` identifies it, and is contained in the names of the leases that count there alone. */
export interface LeaseLevel {
  readonly part: string;
  readonly places: number;
}

const DIVIDER = '|';

/** The name of a new lease says at which levels it counts. */
function newLease(levels: readonly SlotLevel[]): Lease {
  const parts = levels.map(({ of, places }) => {
    return { part: of === null ? '' : `${DIVIDER}${of}${DIVIDER}`, places };
  });
  return { name: [...parts.map(({ part }) => part), randomUUID()].join(''), levels: parts };
}

/**
 * Slots that all processes share; those of this process while the store fails. A slot is a lease, renewed until it is
 * freed: a request may take as long as it needs, and a process that dies takes its slots for `leaseMs` and no longer.
 */
export class LeasedSlots implements HeavySlots, Disposable {
  readonly #store: SlotStore;
  readonly #own: MemorySlots;
  readonly #outage: StoreOutage;
  readonly #leaseMs: number;
  readonly #clock: Clock;
  readonly #renewing: NodeJS.Timeout;
  /** Leases of requests in progress, by account record. */
  readonly #leases = new Map<string, Set<Lease>>();
  /** Slots being released, by account record: its next request here is not refused because of them. */
  readonly #freeing = new Map<string, Promise<unknown>>();
  /** Leases that could not be ended in the store, by account record, with the time when they expire. */
  readonly #owed = new Map<string, Map<Lease, number>>();

  /** Dispose of it at the end. @param deps.leaseMs after which the slots of a process that died are free */
  constructor(deps: {
    readonly store: SlotStore;
    readonly own: MemorySlots;
    readonly outage: StoreOutage;
    readonly leaseMs: number;
    readonly clock: Clock;
  }) {
    this.#store = deps.store;
    this.#own = deps.own;
    this.#outage = deps.outage;
    this.#leaseMs = deps.leaseMs;
    this.#clock = deps.clock;
    // By the machine's time, as leases end in the store.
    this.#renewing = setInterval(() => void this.#renew(), this.#leaseMs / RENEWALS).unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#renewing);
  }

  async take(accountRecord: string, levels: readonly SlotLevel[]): Promise<HeavySlot | number> {
    const freeing = this.#freeing.get(accountRecord);
    let taken = await this.#ask(accountRecord, levels);
    if (typeof taken === 'number' && freeing !== undefined) {
      await freeing;
      taken = await this.#ask(accountRecord, levels);
    }
    if (typeof taken !== 'number') return taken;
    await this.#clock.sleep(ASK_AGAIN_MS);
    return this.#ask(accountRecord, levels);
  }

  #ask(accountRecord: string, levels: readonly SlotLevel[]): Promise<HeavySlot | number> {
    let asked: Promise<HeavySlot | number> | undefined;
    return this.#outage.ask(
      () => {
        asked = this.#lease(accountRecord, levels);
        return asked;
      },
      () => {
        asked?.then(freeIfTaken, () => undefined);
        return this.#own.take(accountRecord, levels);
      },
    );
  }

  async #lease(accountRecord: string, levels: readonly SlotLevel[]): Promise<HeavySlot | number> {
    await this.#payBack(accountRecord);
    const lease = newLease(levels);
    try {
      const full = await this.#store.take(accountRecord, lease, this.#leaseMs);
      if (full !== null) return full;
    } catch (error) {
      // The store may have recorded it, and only its answer was lost.
      this.#owe(accountRecord, lease);
      throw error;
    }
    const leases = this.#leases.get(accountRecord) ?? new Set();
    this.#leases.set(accountRecord, leases.add(lease));
    return { free: () => this.#free(accountRecord, lease) };
  }

  /** A renewal that fails is made up for by the next. */
  async #renew(): Promise<void> {
    if (this.#leases.size === 0) return;
    await this.#outage.ask(
      () => this.#store.renew(this.#leases, this.#leaseMs),
      () => undefined,
    );
  }

  /**
   * Slots that could not be released are released before the account record takes the next: an outage does not count
   * against it.
   */
  async #payBack(accountRecord: string): Promise<void> {
    const owed = this.#owed.get(accountRecord);
    if (owed === undefined) return;
    const now = this.#clock.now();
    const [leases, current] = [[...owed.keys()], [...owed].filter(([, until]) => until > now)];
    if (current.length > 0)
      await this.#store.free(
        accountRecord,
        current.map(([lease]) => lease),
      );
    for (const lease of leases) owed.delete(lease);
    if (owed.size === 0 && this.#owed.get(accountRecord) === owed) this.#owed.delete(accountRecord);
  }

  #owe(accountRecord: string, lease: Lease): void {
    const now = this.#clock.now();
    for (const [other, owed] of this.#owed) {
      for (const [past, until] of owed) if (until <= now) owed.delete(past);
      if (owed.size === 0) this.#owed.delete(other);
    }
    const owed = this.#owed.get(accountRecord) ?? new Map<Lease, number>();
    this.#owed.set(accountRecord, owed.set(lease, now + this.#leaseMs));
  }

  #free(accountRecord: string, lease: Lease): void {
    const leases = this.#leases.get(accountRecord);
    leases?.delete(lease);
    if (leases?.size === 0) this.#leases.delete(accountRecord);
    const freed = this.#outage.ask(
      () => this.#store.free(accountRecord, [lease]),
      () => this.#owe(accountRecord, lease),
    );
    const all = Promise.all([this.#freeing.get(accountRecord), freed]).then(() => {
      if (this.#freeing.get(accountRecord) === all) this.#freeing.delete(accountRecord);
    });
    this.#freeing.set(accountRecord, all);
  }
}

function freeIfTaken(taken: HeavySlot | number): void {
  if (typeof taken !== 'number') taken.free();
}
