import type { Provider } from '../../connectors/providers/provider-contract.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { BalanceSign } from '../../vocabulary/balance-signs.ts';
import type { OwnerId, RowId } from '../../vocabulary/ids.ts';
import type { Limits } from '../../vocabulary/limits.ts';
import type { ProviderIdentifier } from '../../vocabulary/provider-kinds.ts';
import type { BreakerSettings, Pauses, UnattendedReads } from './call-guards.ts';
import type { MemoryCache } from './memory-cache.ts';

/** What a gateway is built from. */
export interface ProviderGatewayOptions {
  /** The configured providers. */
  readonly providers: ReadonlyMap<ProviderIdentifier, Provider>;
  readonly cache: MemoryCache;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly metrics: Pick<Metrics, 'upstreamCall' | 'providerCall' | 'rowSetAside'>;
  readonly breaker?: BreakerSettings;
  /** Absent: always permitted. */
  readonly turns?: Turns;
  /** Absent: ids that a bank uses for several rows are only known within one read. */
  readonly sharedIds?: SharedIds;
  /** Absent: a pause that a provider asks for is not kept. */
  readonly pauses?: Pauses;
  /** Absent: reads while no person waits are not counted. */
  readonly unattended?: UnattendedReads;
  /** Absent: a sign that a balance showed is only used for that balance. */
  readonly balanceSigns?: BalanceSigns;
}

/** Things that may be done once per interval, by all processes together. */
export interface Turns {
  /**
   * Permits the action once in `everyMs`: 0 if permitted, else the milliseconds until it next is.
   * @param turn unique, for `giveBack`
   */
  take(name: string, everyMs: number, turn?: string): number | Promise<number>;
  /** Permits the action again that took the turn and failed. */
  giveBack(name: string, turn: string): void | Promise<void>;
}

/** Stores the sign of an account's balance for the next read. One set by a person is kept. */
export interface BalanceSigns {
  note(owner: OwnerId, account: RowId<'account'>, sign: BalanceSign | null): Promise<void>;
}

/** Ids of an account under which its bank lists several rows. */
export interface SharedIds {
  of(owner: OwnerId, account: RowId<'account'>): Promise<ReadonlySet<string>>;
  note(owner: OwnerId, account: RowId<'account'>, id: string): Promise<void>;
}
