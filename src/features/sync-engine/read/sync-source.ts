import type { DeliveryAccount } from '../../../connectors/destinations/delivery-rows.ts';
import type { HistoryState } from '../../../connectors/providers/provider-contract.ts';
import type { Account } from '../../../storage/accounts.ts';
import type { Connection } from '../../../storage/connections.ts';
import type { DeliveryStream } from '../../../storage/delivery-streams.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { Holding, Trade } from '../../../vocabulary/holdings.ts';
import type { OwnerId, RowId } from '../../../vocabulary/ids.ts';
import type { LocalDate } from '../../../vocabulary/moments.ts';
import type { Money } from '../../../vocabulary/money.ts';
import { PROVIDERS } from '../../../vocabulary/provider-kinds.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import type { Accounts } from '../../linking/accounts.ts';
import type { GatewayAccount } from '../../provider-gateway/gateway-types.ts';
import type { ProviderGateway } from '../../provider-gateway/provider-gateway.ts';

/** What the engine reads. Every failure it raises is a ServiceError, or `signal.reason` after an abort. */
export interface SyncSource {
  /** Raises ServiceError if the account cannot be read now: gone, or its connection has no valid grant. */
  open(owner: OwnerId, account: RowId<'account'>): Promise<SourceAccount>;
  /** Accounts that can no longer be read although they just were, and why; makes no outside call. */
  lost?(
    owner: OwnerId,
    accounts: readonly RowId<'account'>[],
  ): Promise<ReadonlyMap<RowId<'account'>, ErrorCode>>;
  /** Whether a refused read was refused because the consent behind the account expired or was withdrawn. */
  consentEnded?(owner: OwnerId, account: RowId<'account'>): Promise<boolean>;
}

/** An account as a sync reads it. What its provider does not support raises ServiceError `not_supported`. */
export interface SourceAccount {
  readonly account: DeliveryAccount;
  /** The zone in which the account's days begin. */
  readonly timezone: string;
  /** Epoch milliseconds at which its connection was made. */
  readonly linkedAt: number;
  /** Whether the service has the rows itself, as those of statement files: no bank is asked for them. */
  readonly stored: boolean;
  /** Whether the provider has the whole history; call it before the rows are read. */
  history(signal: AbortSignal): Promise<HistoryState>;
  /** Transactions of the window, newest first, in pages; takes the memory of one page. */
  pages(window: SourceWindow, signal: AbortSignal): AsyncIterable<readonly Transaction[]>;
  /** Trades of the days, both inclusive, in pages; takes the memory of one page. */
  trades(days: SourceDays, signal: AbortSignal): AsyncIterable<readonly Trade[]>;
  /** Everything the account holds now. */
  holdings(signal: AbortSignal, setAside?: SetAside): Promise<readonly Holding[]>;
  balance(signal: AbortSignal): Promise<SourceBalance>;
}

/** An account of which only rows are read. */
export type RowSource = Pick<SourceAccount, 'account' | 'timezone' | 'history' | 'pages' | 'trades'>;

/** Receives rows that cannot be read; the source leaves them out either way. */
interface Reporting {
  readonly setAside?: SetAside | undefined;
}

export interface SourceDays extends Reporting {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

export interface SourceWindow extends SourceDays {
  /** Epoch milliseconds: only what the provider recorded since then; null for everything. */
  readonly since: number | null;
  readonly includePending: boolean;
}

export interface SourceBalance {
  /** Epoch milliseconds at which the provider answered. */
  readonly readAt: number;
  /** Lower-case ISO 4217 code. */
  readonly currency: string;
  readonly current: Money | null;
  readonly available: Money | null;
}

/** An account that was read completely, or why it was not. */
type ReadAccount<Result> =
  | { readonly failure: null; readonly result: Result }
  | { readonly failure: ErrorCode };

/**
 * Opens an account and reads it. An account that cannot be read does not stop the others: a ServiceError is returned as
 * its failure. Raises all other errors, and the reason of an abort.
 *
 * @param late aborts when the time for reading is up: accounts not yet read then fail with `upstream_timeout`
 */
export async function readAccount<Result>(
  { sync, reading }: { readonly sync: { readonly account_record: OwnerId }; readonly reading: AbortSignal },
  source: SyncSource,
  { account }: DeliveryStream,
  read: (opened: SourceAccount) => Promise<Result>,
  late: AbortSignal | null = null,
): Promise<ReadAccount<Result>> {
  try {
    reading.throwIfAborted();
    return { failure: null, result: await read(await source.open(sync.account_record, account)) };
  } catch (error) {
    if (late?.aborted === true) return { failure: 'upstream_timeout' };
    if (error instanceof ServiceError) return { failure: error.code };
    throw error;
  }
}

/** Accounts that were read and have since gone, because of their bank or their owner: they must not count as read. */
export async function lostAccounts(
  source: SyncSource,
  owner: OwnerId,
  read: readonly RowId<'account'>[],
): Promise<ReadonlyMap<RowId<'account'>, ErrorCode>> {
  return (await source.lost?.(owner, read)) ?? new Map();
}

const CONNECTION_DELETED = 'The connection of this account was deleted; link the bank again.';

interface ReadableAccount {
  readonly account: Pick<Account, 'name' | 'type' | 'masked_number' | 'timezone' | 'provider'>;
  readonly connection: Pick<Connection, 'institution_name' | 'created'>;
  readonly gateway: GatewayAccount;
}

export interface GatewaySourceDependencies {
  readonly accounts: Pick<Accounts, 'consentEnded' | 'lost'> & {
    /** As Accounts.resolve. */
    resolve(owner: OwnerId, id: RowId<'account'>): Promise<ReadableAccount>;
  };
  readonly gateway: {
    readonly accounts: Pick<ProviderGateway['accounts'], 'balance' | 'historyState'>;
    readonly transactions: Pick<ProviderGateway['transactions'], 'stream'>;
    readonly positions: Pick<ProviderGateway['positions'], 'holdings' | 'streamTrades'>;
  };
}

/** Linked accounts, read through the provider gateway, as a source of syncs. */
export class GatewaySource implements SyncSource {
  readonly #accounts: GatewaySourceDependencies['accounts'];
  readonly #gateway: GatewaySourceDependencies['gateway'];

  constructor(deps: GatewaySourceDependencies) {
    this.#accounts = deps.accounts;
    this.#gateway = deps.gateway;
  }

  consentEnded(owner: OwnerId, id: RowId<'account'>): Promise<boolean> {
    return this.#accounts.consentEnded(owner, id);
  }

  async open(owner: OwnerId, id: RowId<'account'>): Promise<SourceAccount> {
    const { account, connection, gateway } = await this.#resolve(owner, id);
    return {
      account: {
        id,
        name: account.name,
        institution: connection.institution_name,
        type: account.type,
        maskedNumber: account.masked_number,
      },
      timezone: account.timezone,
      linkedAt: connection.created.getTime(),
      stored: PROVIDERS[account.provider].category === 'documents',
      history: (signal: AbortSignal): Promise<HistoryState> => this.#history(gateway, signal),
      pages: (window: SourceWindow, signal: AbortSignal): AsyncIterable<readonly Transaction[]> =>
        this.#gateway.transactions.stream(gateway, window, signal),
      trades: (days: SourceDays, signal: AbortSignal): AsyncIterable<readonly Trade[]> =>
        this.#gateway.positions.streamTrades(gateway, days, signal),
      holdings: (signal: AbortSignal, setAside?: SetAside): Promise<readonly Holding[]> =>
        this.#gateway.positions.holdings(gateway, signal, setAside),
      balance: (signal: AbortSignal): Promise<SourceBalance> => this.#balance(gateway, signal),
    };
  }

  lost(owner: OwnerId, ids: readonly RowId<'account'>[]): Promise<ReadonlyMap<RowId<'account'>, ErrorCode>> {
    return this.#accounts.lost(owner, ids);
  }

  /** An account of a sync once belonged to its owner; it is gone only because its connection was deleted. */
  async #resolve(owner: OwnerId, id: RowId<'account'>): Promise<ReadableAccount> {
    try {
      return await this.#accounts.resolve(owner, id);
    } catch (cause) {
      if (!(cause instanceof ServiceError) || cause.code !== 'resource_missing') throw cause;
      throw new ServiceError('upstream_auth_failed', { message: CONNECTION_DELETED, cause });
    }
  }

  async #balance(account: GatewayAccount, signal: AbortSignal): Promise<SourceBalance> {
    const { value, observedAt } = await this.#gateway.accounts.balance(account, {}, signal);
    const { current, available } = value;
    return { readAt: observedAt, currency: value.currency ?? account.currency, current, available };
  }

  /** A provider that cannot tell now is treated like one that never does, unless the grant itself is refused. */
  async #history(account: GatewayAccount, signal: AbortSignal): Promise<HistoryState> {
    try {
      return await this.#gateway.accounts.historyState(account, signal);
    } catch (error) {
      if (error instanceof ServiceError && error.code !== 'upstream_auth_failed') return 'unknown';
      throw error;
    }
  }
}
