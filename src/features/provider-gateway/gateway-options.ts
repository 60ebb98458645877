import type { Provider } from '../../connectors/providers/provider-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { BalanceSign } from '../../vocabulary/balance-signs.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import type { BreakerSettings, Pauses } from './call-guards.ts';
import type { MemoryCache } from './memory-cache.ts';

/** What a gateway is built from. */
export interface ProviderGatewayOptions {
  /** The configured providers. */
  readonly providers: ReadonlyMap<ProviderIdentifier, Provider>;
  readonly cache: MemoryCache;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly metrics: Pick<Metrics, 'upstreamCall' | 'rowSetAside'>;
  readonly breaker?: BreakerSettings;
  /** Absent: every turn is granted. */
  readonly turns?: Turns;
  /** Absent: which ids a bank uses for several rows is known within one read only. */
  readonly sharedIds?: SharedIds;
  /** Absent: a pause that a provider asks for is not kept. */
  readonly pauses?: Pauses;
  /** Absent: what a balance showed of its sign is known of that balance only. */
  readonly balanceSigns?: BalanceSigns;
}

/** What may be done once in a while, by all processes together. */
export interface Turns {
  /** Takes a turn that comes once in `everyMs`: 0 when taken, else the milliseconds left until the next. */
  take(name: string, everyMs: number): number | Promise<number>;
}

/** The sign of an account's balance, where the next read finds it. What a person has said is kept. */
export interface BalanceSigns {
  note(owner: OwnerId, account: RowId<'account'>, sign: BalanceSign | null): Promise<void>;
}

/** Ids of an account under which its bank lists several rows. */
export interface SharedIds {
  of(owner: OwnerId, account: RowId<'account'>): Promise<ReadonlySet<string>>;
  note(owner: OwnerId, account: RowId<'account'>, id: string): Promise<void>;
}
