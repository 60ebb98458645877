import type { ProviderInstitution } from '../../connectors/providers/provider-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import { JoinedReads } from '../../platform/joined-reads.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import type { UpstreamCalls } from './upstream-calls.ts';

type List = readonly ProviderInstitution[];

interface CachedList {
  readonly list: List;
  /** Epoch milliseconds when the provider was asked. */
  readonly askedAt: number;
}

/**
 * The list of each provider, the same for everyone and not financial data: cached in this process for
 * LIMIT_INSTITUTIONS_CACHE_SECONDS. Seconds and not hours, because the list also shows which bank is down now.
 */
export class InstitutionLists {
  readonly #calls: UpstreamCalls;
  readonly #clock: Clock;
  readonly #freshMs: number;
  readonly #cached = new Map<ProviderIdentifier, CachedList>();
  readonly #joined = new JoinedReads<List>();

  constructor({ clock, limits }: { clock: Clock; limits: Limits }, calls: UpstreamCalls) {
    this.#calls = calls;
    this.#clock = clock;
    this.#freshMs = limits.institutions_cache_seconds * 1000;
  }

  /** `live` skips the cache. Concurrent callers share one answer; a failure is not cached. */
  async read(
    provider: ProviderIdentifier,
    { live = false }: { readonly live?: boolean },
    signal: AbortSignal,
  ): Promise<List> {
    signal.throwIfAborted();
    const cached = live ? null : this.#fresh(provider);
    return cached ?? this.#joined.run(provider, signal, (within) => this.#ask(provider, within));
  }

  #fresh(provider: ProviderIdentifier): List | null {
    const cached = this.#cached.get(provider);
    if (cached === undefined) return null;
    const age = this.#clock.now() - cached.askedAt;
    // Negative if the clock was set back: the age of the list is then unknown.
    return age >= 0 && age < this.#freshMs ? cached.list : null;
  }

  async #ask(provider: ProviderIdentifier, signal: AbortSignal): Promise<List> {
    const askedAt = this.#clock.now();
    const list = await this.#calls.provider({ provider, owner: null }, 'institutions', signal, (adapter, s) =>
      adapter.listInstitutions(s),
    );
    this.#cached.set(provider, { list, askedAt });
    return list;
  }
}
