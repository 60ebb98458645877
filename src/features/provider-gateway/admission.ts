import { BulkheadRejectedError, bulkhead, type IPolicy } from 'cockatiel';
import type { ProviderIdentifier } from '../../vocabulary/providers.ts';
import { UpstreamFailure } from '../../vocabulary/upstream-failures.ts';

export interface PoolSettings {
  /** Calls to one provider at a time: as many as the outgoing client has sockets for one origin. */
  readonly calls: number;
  /** Calls that may wait for one of those; their deadline runs meanwhile. */
  readonly waiting: number;
}

export const POOL_SETTINGS: PoolSettings = { calls: 32, waiting: 256 };

/** Keeps a burst of reads from drowning a provider, or this process. */
export class Admission {
  readonly #settings: PoolSettings;
  readonly #pools = new Map<ProviderIdentifier, IPolicy>();

  constructor(settings: PoolSettings = POOL_SETTINGS) {
    this.#settings = settings;
  }

  /** Runs `work` when there is room. Raises UpstreamFailure `pool_full`, or what `work` raised. */
  async run<T>(provider: ProviderIdentifier, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#pool(provider).execute(work);
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw error;
      throw new UpstreamFailure('pool_full', 'Too many calls to the provider are under way and waiting.', {
        retryAfterSeconds: 5,
      });
    }
  }

  #pool(provider: ProviderIdentifier): IPolicy {
    const known = this.#pools.get(provider);
    if (known !== undefined) return known;
    const pool = bulkhead(this.#settings.calls, this.#settings.waiting);
    this.#pools.set(provider, pool);
    return pool;
  }
}
