import type { Clock } from '../../platform/clock.ts';
import { FairSlots, SlotsFull } from '../../platform/fair-slots.ts';
import type { RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { ProviderIdentifier } from '../../vocabulary/providers.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';

/** For whom a provider is asked; null for the service itself. */
export type CallOwner = RowId<'account_record'> | null;

/** A lone account record has up to three quarters of a provider's calls. */
const SHARE = 3;
const RETRY_AFTER_S = 5;
const SERVICE = 'service';

/**
 * Keeps a burst of reads from drowning a provider, or this process, and one account record from using up what the
 * others need: each provider's calls are shared out by account record.
 */
export class ConcurrencyLimit {
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly #pools = new Map<ProviderIdentifier, FairSlots>();

  constructor(limits: Limits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Runs `work` when there is room for this owner. Raises UpstreamFailure `pool_full` when too many of the owner's calls
   * wait, or when one has waited for half the deadline of a read: what is left would not be enough. Raises
   * `signal.reason` when the caller goes away first, or what `work` raised.
   */
  async run<T>(
    provider: ProviderIdentifier,
    owner: CallOwner,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    const give = await this.#take(this.#pool(provider), owner ?? SERVICE, signal);
    try {
      return await work();
    } finally {
      give();
    }
  }

  async #take(pool: FairSlots, owner: string, signal: AbortSignal): Promise<() => void> {
    const served = new AbortController();
    const late = new AbortController();
    this.#clock.sleep(this.#limits.read_deadline_ms / 2, served.signal).then(
      () => late.abort(new SlotsFull()),
      () => undefined,
    );
    try {
      return await pool.take(owner, AbortSignal.any([signal, late.signal]));
    } catch (error) {
      if (!(error instanceof SlotsFull)) throw error;
      throw new UpstreamFailure('pool_full', 'Too many calls to the provider are in progress or waiting.', {
        retryAfterSeconds: RETRY_AFTER_S,
      });
    } finally {
      served.abort();
    }
  }

  #pool(provider: ProviderIdentifier): FairSlots {
    const known = this.#pools.get(provider);
    if (known !== undefined) return known;
    const { provider_calls: slots, provider_calls_waiting: waiting } = this.#limits;
    const pool = new FairSlots({ slots, waiting, share: SHARE });
    this.#pools.set(provider, pool);
    return pool;
  }
}
