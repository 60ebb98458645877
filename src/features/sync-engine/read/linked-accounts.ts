import type { HistoryState } from '../../../connectors/providers/provider-contract.ts';
import type { Account } from '../../../storage/accounts.ts';
import type { Connection } from '../../../storage/connections.ts';
import type { ErrorCode } from '../../../vocabulary/error-codes.ts';
import type { Holding, Trade } from '../../../vocabulary/holdings.ts';
import type { OwnerId, RowId } from '../../../vocabulary/ids.ts';
import { ServiceError } from '../../../vocabulary/service-error.ts';
import type { SetAside } from '../../../vocabulary/set-aside-rows.ts';
import type { Transaction } from '../../../vocabulary/transactions.ts';
import type { Accounts } from '../../linking/accounts.ts';
import type { GatewayAccount } from '../../provider-gateway/gateway-types.ts';
import type { ProviderGateway } from '../../provider-gateway/provider-gateway.ts';
import type { SourceAccount, SourceBalance, SourceDays, SourceWindow, SyncSource } from './sync-source.ts';

const CONNECTION_DELETED = 'The connection of this account was deleted; link the bank again.';

interface ReadableAccount {
  readonly account: Pick<Account, 'name' | 'type' | 'masked_number' | 'timezone'>;
  readonly connection: Pick<Connection, 'institution_name' | 'created'>;
  readonly gateway: GatewayAccount;
}

export interface LinkedAccountsDependencies {
  readonly accounts: Pick<Accounts, 'consentEnded' | 'lost'> & {
    /** As Accounts.resolve. */
    resolve(owner: OwnerId, id: RowId<'account'>): Promise<ReadableAccount>;
  };
  readonly gateway: {
    readonly accounts: Pick<ProviderGateway['accounts'], 'stream' | 'balance' | 'historyState'>;
    readonly positions: Pick<ProviderGateway['positions'], 'holdings' | 'streamTrades'>;
  };
}

/** Linked accounts, read through the provider gateway, as a source of syncs. */
export class LinkedAccounts implements SyncSource {
  readonly #accounts: LinkedAccountsDependencies['accounts'];
  readonly #gateway: LinkedAccountsDependencies['gateway'];

  constructor(deps: LinkedAccountsDependencies) {
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
      history: (signal: AbortSignal): Promise<HistoryState> => this.#history(gateway, signal),
      pages: (window: SourceWindow, signal: AbortSignal): AsyncIterable<readonly Transaction[]> =>
        this.#gateway.accounts.stream(gateway, window, signal),
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

  /** An account of a sync was its owner's once; it is gone only because its connection was deleted. */
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

  /** A provider that cannot say it now is as one that never does, unless the grant itself is refused. */
  async #history(account: GatewayAccount, signal: AbortSignal): Promise<HistoryState> {
    try {
      return await this.#gateway.accounts.historyState(account, signal);
    } catch (error) {
      if (error instanceof ServiceError && error.code !== 'upstream_auth_failed') return 'unknown';
      throw error;
    }
  }
}
