import type { RowId } from '../../vocabulary/ids.ts';
import type { Transaction } from '../../vocabulary/transactions.ts';
import type { Accounts } from '../accounts.ts';
import type { ProviderGateway } from '../provider-gateway/provider-gateway.ts';
import type { SourceAccount, SourceWindow, SyncSource } from './sync-source.ts';

/** Linked accounts, read through the provider gateway, as a source of syncs. */
export class LinkedAccounts implements SyncSource {
  readonly #accounts: Accounts;
  readonly #gateway: ProviderGateway;

  constructor(deps: { accounts: Accounts; gateway: ProviderGateway }) {
    this.#accounts = deps.accounts;
    this.#gateway = deps.gateway;
  }

  consentEnded(owner: RowId<'account_record'>, id: RowId<'account'>): Promise<boolean> {
    return this.#accounts.consentEnded(owner, id);
  }

  async open(owner: RowId<'account_record'>, id: RowId<'account'>): Promise<SourceAccount> {
    const { account, connection, gateway } = await this.#accounts.resolve(owner, id);
    return {
      account: {
        id,
        name: account.name,
        institution: connection.institution_name,
        type: account.type,
        maskedNumber: account.masked_number,
      },
      timezone: account.timezone,
      pages: (window: SourceWindow, signal: AbortSignal): AsyncIterable<readonly Transaction[]> =>
        this.#gateway.streamTransactions(gateway, window, signal),
    };
  }
}
