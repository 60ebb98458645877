import type { Clock } from '../../platform/clock.ts';
import { FairSlots, SlotsFull } from '../../platform/fair-slots.ts';
import { resting } from '../../platform/retry-budget.ts';
import type { OwnerId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { ProviderIdentifier } from '../../vocabulary/providers.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';

/** For whom a provider is asked; null for the service itself. */
export type CallOwner = OwnerId | null;

/** Who is asked, and for whom. `institution` is null for a call that is about none. */
export interface Call {
  readonly provider: ProviderIdentifier;
  readonly institution: string | null;
  readonly owner: CallOwner;
}

/** A lone account record has up to three quarters of the calls. */
const SHARE = 3;
/** One institution has up to three quarters of its provider's calls: while it hangs, the others go on. */
const OF_INSTITUTION = 3 / 4;
const RETRY_AFTER_S = 5;
const SERVICE = 'service';

/**
 * Keeps a burst of reads from drowning a provider, or this process, and one account record or one slow institution from
 * using up what the others need: calls are shared out by account record, first those of the institution, then those of
 * the provider.
 */
export class ConcurrencyLimit {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #pools = new Map<string, FairSlots>();

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Runs `work` when there is room for this owner. Raises UpstreamFailure `pool_full` when too many of the owner's calls
   * wait, or when one has waited for half the deadline of a read: what is left would not be enough. Raises
   * `signal.reason` when the caller goes away first, or what `work` raised. While work with a retry budget waits to ask again,
   * others have its place.
   */
  async run<T>(call: Call, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    let give = await this.#take(call, signal);
    const rest = async (wait: () => Promise<void>): Promise<void> => {
      give();
      await wait();
      give = await this.#take(call, signal);
    };
    try {
      return await resting(rest, work);
    } finally {
      give();
    }
  }

  async #take({ provider, institution, owner }: Call, signal: AbortSignal): Promise<() => void> {
    const served = new AbortController();
    const late = new AbortController();
    this.#clock.sleep(this.#limits.read_deadline_ms / 2, served.signal).then(
      () => late.abort(new SlotsFull()),
      () => undefined,
    );
    const { provider_calls: calls } = this.#limits;
    const pools = [
      ...(institution === null
        ? []
        : [this.#pool(JSON.stringify([provider, institution]), Math.ceil(calls * OF_INSTITUTION))]),
      this.#pool(provider, calls),
    ];
    try {
      return await takeAll(pools, owner ?? SERVICE, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (!(error instanceof SlotsFull)) throw error;
      throw new UpstreamFailure('pool_full', 'Too many calls to the provider are in progress or waiting.', {
        retryAfterSeconds: RETRY_AFTER_S,
      });
    } finally {
      served.abort();
    }
  }

  #pool(name: string, slots: number): FairSlots {
    const known = this.#pools.get(name);
    if (known !== undefined) return known;
    const pool = new FairSlots({ slots, waiting: this.#limits.provider_calls_waiting, share: SHARE });
    this.#pools.set(name, pool);
    return pool;
  }
}

/** A slot of each, one after the other; of none where one is not to be had. */
async function takeAll(pools: readonly FairSlots[], owner: string, signal: AbortSignal): Promise<() => void> {
  const held: (() => void)[] = [];
  const give = () => {
    for (const slot of held.toReversed()) slot();
  };
  try {
    for (const pool of pools) held.push(await pool.take(owner, signal));
    return give;
  } catch (error) {
    give();
    throw error;
  }
}
