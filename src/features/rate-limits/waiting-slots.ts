import type { Clock } from '../../platform/clock.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import { ServiceError } from '../../vocabulary/service-error.ts';
import type { CallerSlots, HeavySlot } from './heavy-slots.ts';
import type { CountedCaller } from './tier-limits.ts';

/** A place may also be given back where nobody here notices: by a key of the owner, or in another process. */
const LOOK_AGAIN_MS = 500;
const RETRY_SECONDS = 5;

type Bounds = Pick<Limits, 'bridge_waiting' | 'bridge_account_waiting' | 'bridge_wait_seconds'>;

export interface WaitingSlotsDependencies {
  readonly slots: Pick<CallerSlots, 'take'>;
  readonly limits: Bounds;
  readonly clock: Clock;
}

/**
 * The places for heavy requests, for callers that wait for one instead of being refused. Requests of one caller are
 * served in the order in which they came. How many wait is bounded for each caller and for each account record, and how
 * long each waits; the places themselves are of each caller, so nobody waits behind another owner's requests.
 */
export class WaitingSlots {
  readonly #deps: WaitingSlotsDependencies;
  /** Requests that wait, of each caller and of each account record. */
  readonly #waiting = new Map<string, number>();
  /** The turn behind which the next request of a caller waits. */
  readonly #lastTurn = new Map<string, Promise<void>>();
  /** What to call when a place of an account record is free again. */
  readonly #sleepers = new Map<string, Set<() => void>>();

  constructor(deps: WaitingSlotsDependencies) {
    this.#deps = deps;
  }

  /**
   * A place, at once or in its turn. Raises `too_many_concurrent_requests` where too many wait already or the wait takes
   * too long, and the reason of `signal` when the caller goes away meanwhile.
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
      // Those before came sooner and wait no longer than this one may.
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
      // Listened for before one is looked for, so that none given back meanwhile is missed.
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

  /** Null while all places are taken. */
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

  /** Counts one that waits; returns what ends that. */
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
