import type { Clock } from '../../platform/clock.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { CallerSlots, HeavySlot } from './heavy-slots.ts';
import type { CountedCaller } from './tier-limits.ts';

/** A slot may also be released unnoticed here: by another key of the owner, or in another process. */
const LOOK_AGAIN_MS = 500;
const RETRY_SECONDS = 5;

type Bounds = Pick<Limits, 'bridge_waiting' | 'bridge_account_waiting' | 'bridge_wait_seconds'>;

export interface WaitingSlotsDependencies {
  readonly slots: Pick<CallerSlots, 'take'>;
  readonly limits: Bounds;
  readonly clock: Clock;
}

/**
 * The slots for heavy requests, for callers that wait for one instead of being refused. Requests of one caller are
 * served in order. The number of waiting requests is bounded for each caller and each account record, and so is how
 * long each waits; slots belong to a caller, so no one waits behind another owner's requests.
 */
export class WaitingSlots {
  readonly #deps: WaitingSlotsDependencies;
  /** Waiting requests of each caller and of each account record. */
  readonly #waiting = new Map<string, number>();
  /** The request after which the next request of a caller waits. */
  readonly #lastTurn = new Map<string, Promise<void>>();
  /** Callbacks for when a slot of an account record is free again. */
  readonly #sleepers = new Map<string, Set<() => void>>();

  constructor(deps: WaitingSlotsDependencies) {
    this.#deps = deps;
  }

  /**
   * Takes a slot, at once or in turn. Raises `too_many_concurrent_requests` if too many are already waiting or the wait
   * takes too long, and the reason of `signal` if the caller goes away.
   */
  async take(caller: CountedCaller, signal = new AbortController().signal): Promise<HeavySlot> {
    const free = this.#lastTurn.has(caller.id) ? null : await this.#tryOnce(caller);
    return free ?? this.#inTurn(caller, signal);
  }

  async #inTurn(caller: CountedCaller, signal: AbortSignal): Promise<HeavySlot> {
    const leave = this.#enter(caller);
    const before = this.#lastTurn.get(caller.id) ?? Promise.resolve();
    const turn = Promise.withResolvers<void>();
    const behind = before.then(() => turn.promise);
    this.#lastTurn.set(caller.id, behind);
    const { clock, limits } = this.#deps;
    const end = clock.now() + limits.bridge_wait_seconds * 1000;
    try {
      // Earlier requests wait no longer than this one may.
      await unlessAborted(before, signal);
      return await this.#nextFree(caller, end, signal);
    } finally {
      leave();
      turn.resolve();
      if (this.#lastTurn.get(caller.id) === behind) this.#lastTurn.delete(caller.id);
    }
  }

  async #nextFree(caller: CountedCaller, end: number, signal: AbortSignal): Promise<HeavySlot> {
    const { clock, limits } = this.#deps;
    for (;;) {
      const awake = new AbortController();
      // The listener is added before checking for a slot, so that none released in between is missed.
      const forget = this.#whenFreed(caller, () => awake.abort());
      try {
        const slot = await this.#tryOnce(caller);
        if (slot !== null) return slot;
        const left = end - clock.now();
        if (left <= 0) throw refused(`A request waited ${limits.bridge_wait_seconds} seconds for its turn.`);
        const until = AbortSignal.any([signal, awake.signal]);
        await clock.sleep(Math.min(LOOK_AGAIN_MS, left), until).catch(() => signal.throwIfAborted());
      } finally {
        forget();
      }
    }
  }

  /** Null while all slots are taken. */
  async #tryOnce(caller: CountedCaller): Promise<HeavySlot | null> {
    try {
      const slot = await this.#deps.slots.take(caller);
      return { free: () => this.#free(caller, slot) };
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'too_many_concurrent_requests') return null;
      throw error;
    }
  }

  #free({ accountRecord }: CountedCaller, slot: HeavySlot): void {
    slot.free();
    for (const wake of [...(this.#sleepers.get(accountRecord.id) ?? [])]) wake();
  }

  #whenFreed({ accountRecord }: CountedCaller, wake: () => void): () => void {
    const { id } = accountRecord;
    const sleepers = this.#sleepers.get(id) ?? new Set();
    this.#sleepers.set(id, sleepers.add(wake));
    return () => {
      sleepers.delete(wake);
      if (sleepers.size === 0 && this.#sleepers.get(id) === sleepers) this.#sleepers.delete(id);
    };
  }

  /** Counts a waiting request; returns a function that ends that. */
  #enter({ id, accountRecord }: CountedCaller): () => void {
    const { bridge_waiting: own, bridge_account_waiting: together } = this.#deps.limits;
    if (this.#count(id) >= own) throw refused(`${own} requests of this app wait already.`);
    if (this.#count(accountRecord.id) >= together)
      throw refused(`${together} requests of the apps of this account record wait already.`);
    for (const who of [id, accountRecord.id]) this.#waiting.set(who, this.#count(who) + 1);
    return () => {
      for (const who of [id, accountRecord.id]) {
        const left = this.#count(who) - 1;
        if (left > 0) this.#waiting.set(who, left);
        else this.#waiting.delete(who);
      }
    };
  }

  #count(who: string): number {
    return this.#waiting.get(who) ?? 0;
  }
}

function refused(why: string): ServiceError {
  return new ServiceError('too_many_concurrent_requests', {
    message: `${why} Wait for answers before you ask for more.`,
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/** The promise, or `signal.reason` as soon as the signal aborts. */
async function unlessAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const gone = Promise.withResolvers<void>();
  const leave = (): void => gone.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    await Promise.race([promise, gone.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
